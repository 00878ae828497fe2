# Set by TF_VAR_pagerduty_key in place of this value. Neither a plan nor the state has it.
variable "pagerduty_key" {
  type      = string
  ephemeral = true
  default   = "00112233445566778899aabbccddeeff"
}

data "pager_integration" "first" {
  name = "First webhook"
}

# What sends this key to PagerDuty keeps it, and gets another host name.
resource "pager_integration_key" "pagerduty" {
  integration_id = data.pager_integration.first.id
  kind           = "pagerduty"
  key            = var.pagerduty_key
}
