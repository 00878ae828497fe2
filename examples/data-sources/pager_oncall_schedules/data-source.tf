data "pager_team" "default" {
  name = "Default"
}

data "pager_oncall_schedules" "of_the_team" {
  team_id = data.pager_team.default.id
}

# Who is on call of each.
data "pager_oncall_now" "each" {
  for_each = toset(data.pager_oncall_schedules.of_the_team.oncall_schedules[*].id)
  id       = each.key
}
