resource "pager_team" "reporting" {
  name = "Reporting"
}

# Reads the team's incidents, and nothing else.
resource "pager_api_key" "reports" {
  name     = "Weekly reports"
  role     = "viewer"
  team_ids = [pager_team.reporting.id]
}

output "reports_api_key" {
  value     = pager_api_key.reports.key
  sensitive = true
}
