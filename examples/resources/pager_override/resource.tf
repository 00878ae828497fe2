data "pager_user" "owner" {
  email = "owner@example.com"
}

resource "pager_oncall_schedule" "support" {
  name   = "Support at night"
  layers = [{ users = [data.pager_user.owner.id], rotation = { length = 1, unit = "weeks" } }]
}

resource "pager_override" "new_year" {
  oncall_schedule_id = pager_oncall_schedule.support.id
  user_id            = data.pager_user.owner.id
  start              = "2034-12-31T18:00:00+01:00"
  end                = "2035-01-01T09:00:00+01:00"
  comment            = "New Year’s Eve"
}
