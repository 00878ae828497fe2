# By id: the last part of the team's address in the dashboard.
terraform import pager_team.payments 6a5f0c1e2d3c4b5a69788700
