resource "pager_outbound_webhook" "tickets" {
  name = "Signed tickets"
  url  = "https://tickets.example.com/"
}

ephemeral "pager_webhook_secret" "tickets" {
  outbound_webhook_id = pager_outbound_webhook.tickets.id
}

# Only what is ephemeral itself takes it: a write-only attribute, such as that of a secret store, a
# provider's setting, or a local value such as this one.
locals {
  tickets_secret = ephemeral.pager_webhook_secret.tickets.secret
}
