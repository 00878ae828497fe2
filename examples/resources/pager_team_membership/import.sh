# <team_id>/<user_id>
terraform import pager_team_membership.owner 6a5f0c1e2d3c4b5a69788775/6a5f0c1e2d3c4b5a69788776
