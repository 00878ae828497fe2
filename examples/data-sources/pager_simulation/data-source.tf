data "pager_integration" "alerts" {
  name = "First webhook"
}

data "pager_simulation" "tonight" {
  integration_id = data.pager_integration.alerts.id
  at             = timeadd(plantimestamp(), "8h")
  event          = jsonencode({ title = "Disk full" })
}

# What would happen, line by line.
output "tonight" {
  value = data.pager_simulation.tonight.story[*].text
}

# What a grouping would have made of the last 7 days, before it is set.
data "pager_simulation" "grouped" {
  integration_id = data.pager_integration.alerts.id
  grouping       = { by = ["details.labels.cluster", "title"] }
}

output "grouped" {
  value = {
    pages_before       = data.pager_simulation.grouped.replay.pages.saved
    pages_after        = data.pager_simulation.grouped.replay.pages.proposed
    quiet_though_worse = data.pager_simulation.grouped.replay.quiet_though_worse
  }
}
