# People sign up in the dashboard; here they are found by their address.
data "pager_user" "developers" {
  for_each = toset(var.developers)
  email    = each.value
}

data "pager_user" "manager" {
  email = var.manager
}

resource "pager_oncall_schedule" "developers" {
  name     = "Developers"
  timezone = var.timezone

  layers = [
    {
      users    = [for email in var.developers : data.pager_user.developers[email].id]
      rotation = { length = 1, unit = "weeks", handoff = "09:00", handoff_day = "monday" }
    },
    # The later layer wins: on Friday nights the manager is on call.
    {
      users    = [data.pager_user.manager.id]
      rotation = { length = 1, unit = "weeks" }
      restriction = {
        type = "weekly"
        windows = [{
          from_day  = "friday"
          from_time = "20:00"
          to_day    = "saturday"
          to_time   = "08:00"
        }]
      }
    },
  ]
}
