data "pager_user" "first" {
  email = "owner@example.com"
}

locals {
  workdays = ["monday", "tuesday", "wednesday", "thursday", "friday"]
}

resource "pager_oncall_schedule" "office" {
  name     = "Office hours and nights"
  timezone = "Europe/Berlin"

  layers = [
    {
      users    = [data.pager_user.first.id]
      rotation = { length = 1, unit = "weeks" }
      restriction = {
        type    = "weekly"
        windows = provider::pager::weekly_windows(local.workdays, "09:00", "17:00")
      }
    },
    {
      users    = [data.pager_user.first.id]
      rotation = { length = 1, unit = "days" }
      restriction = {
        type = "weekly"
        # Until 09:00 on the next day.
        windows = provider::pager::weekly_windows(local.workdays, "17:00", "09:00")
      }
    },
  ]
}
