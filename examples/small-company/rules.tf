resource "pager_outbound_webhook" "status_page" {
  name   = "Status page"
  url    = var.status_page_url
  method = "POST"
}

resource "pager_alert_routing_rule" "payments" {
  name            = "Payments are urgent"
  integration_ids = [pager_integration.prometheus["payments"].id]
  condition_groups = [
    { conditions = [{ type = "allIncidents" }] },
  ]
  actions = [
    { type = "priority", priority = "p1" },
    { type = "outboundWebhook", outbound_webhook_id = pager_outbound_webhook.status_page.id },
  ]
}

resource "pager_alert_routing_rule" "tests" {
  name = "Tests page nobody"
  condition_groups = [
    { conditions = [{ type = "incidentMessage", comparator = "startsWith", text = "[test]" }] },
  ]
  actions = [{ type = "ignoreIncident" }]
}
