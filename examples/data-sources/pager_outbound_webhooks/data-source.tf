data "pager_outbound_webhooks" "all" {}

# The addresses are secrets, and so is all that is made of them.
output "urls" {
  value     = data.pager_outbound_webhooks.all.outbound_webhooks[*].url
  sensitive = true
}
