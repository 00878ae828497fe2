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
