data "pager_user" "owner" {
  email = "owner@example.com"
}

resource "pager_team" "database" {
  name = "Database"
}

resource "pager_team_membership" "owner" {
  team_id = pager_team.database.id
  user_id = data.pager_user.owner.id
}
