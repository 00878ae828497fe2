data "pager_teams" "all" {}

output "members" {
  value = { for team in data.pager_teams.all.teams : team.name => team.user_ids }
}
