data "pager_integration" "monitoring" {
  name = "First webhook"
}

ephemeral "pager_integration_token" "monitoring" {
  integration_id = data.pager_integration.monitoring.id
}

# Only what is ephemeral itself takes it: a write-only attribute, such as that of a secret store, a
# provider's setting, or a local value such as this one.
locals {
  monitoring_url = ephemeral.pager_integration_token.monitoring.webhook_url
}
