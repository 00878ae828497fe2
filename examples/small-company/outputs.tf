# For alertmanager.yml: terraform output -json prometheus_urls
output "prometheus_urls" {
  description = "Where Alertmanager sends what concerns each service."
  value       = { for service, integration in pager_integration.prometheus : service => integration.webhook_url }
  sensitive   = true
}

# terraform output -raw backups_address
output "backups_address" {
  description = "Where backups send their mail."
  value       = pager_integration.backups.email_address
  sensitive   = true
}
