data "pager_user" "owner" {
  email = "owner@example.com"
}

resource "pager_oncall_schedule" "primary" {
  name     = "Primary"
  timezone = "Europe/Paris"

  layers = [
    # A week each, from Monday at nine.
    {
      users    = [data.pager_user.owner.id]
      rotation = { length = 1, unit = "weeks", handoff = "09:00", handoff_day = "monday" }
    },
    # A later layer overrides the earlier ones: someone else at the weekend.
    {
      users    = [data.pager_user.owner.id]
      rotation = { length = 7, unit = "days", handoff = "18:00" }
      restriction = {
        type = "weekly"
        windows = [{
          from_day  = "friday"
          from_time = "18:00"
          to_day    = "monday"
          to_time   = "09:00"
        }]
      }
    },
  ]
}
