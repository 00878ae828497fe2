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
