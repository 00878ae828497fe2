data "pager_integration" "first" {
  name = "First webhook"
}

# Anyone who has it can open incidents: terraform output -raw webhook_url
output "webhook_url" {
  value     = data.pager_integration.first.webhook_url
  sensitive = true
}
