# By e-mail address, also for an inactive person.
terraform import pager_user.ada ada@example.com

# By id: the last part of the person's address in the dashboard.
terraform import pager_user.ada 6a5f0c1e2d3c4b5a69788776
