locals {
  days_until_sunday = {
    Mon = 6, Tue = 5, Wed = 4, Thu = 3, Fri = 2, Sat = 1, Sun = 7
  }[formatdate("EEE", plantimestamp())]
  sunday = timeadd(plantimestamp(), "${24 * local.days_until_sunday}h")
}

# Next to the check and not within it, where Terraform would read it at each apply, so that each plan
# has something to apply. It waits for the records that it simulates.
data "pager_simulation" "sunday_night" {
  integration_id = pager_integration.database.id
  at             = "${formatdate("YYYY-MM-DD", local.sunday)}T03:00:00Z"
  event          = jsonencode({ title = "Disk full" })
  depends_on     = [pager_escalation_policy.nights, pager_oncall_schedule.nights]
}

check "sunday_night" {
  assert {
    condition     = data.pager_simulation.sunday_night.paged
    error_message = "Nobody would be paged on Sunday at 03:00: ${join(" ", data.pager_simulation.sunday_night.story[*].text)}"
  }
}

# A grouping before it is set: the same events of the last days, with and without it.
data "pager_simulation" "grouping" {
  integration_id = pager_integration.database.id
  grouping       = { by = var.group_by, window = { after = 2, unit = "hours" } }
  days           = 14
}

check "grouping_hides_nothing" {
  assert {
    condition     = data.pager_simulation.grouping.replay.quiet_though_worse == 0
    error_message = "Alerts would have joined quietly though they were worse than what had been paged for: ${data.pager_simulation.grouping.replay.quiet_though_worse}"
  }
}
