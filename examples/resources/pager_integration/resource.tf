data "pager_user" "owner" {
  email = "owner@example.com"
}

resource "pager_service" "checkout" {
  name = "Checkout"
}

resource "pager_escalation_policy" "checkout" {
  name  = "Checkout"
  steps = [{ targets = [{ via = "email", user_id = data.pager_user.owner.id }] }]
}

resource "pager_integration" "prometheus" {
  slug                 = "prometheus"
  name                 = "Prometheus"
  service_id           = pager_service.checkout.id
  escalation_policy_id = pager_escalation_policy.checkout.id
  ack_timeout_minutes  = 60
  repeat_escalation    = true
  auto_resolve         = { after = 2, unit = "days" }
}

# terraform output -raw prometheus_url
output "prometheus_url" {
  value     = pager_integration.prometheus.webhook_url
  sensitive = true
}
