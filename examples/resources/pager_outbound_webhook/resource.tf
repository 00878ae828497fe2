variable "automation_url" {
  type      = string
  sensitive = true
  default   = "https://automation.example.com/pager"
}

resource "pager_outbound_webhook" "automation" {
  name   = "Automation"
  url    = var.automation_url
  method = "POST"
  headers = {
    "X-Source" = "pager"
  }
}

variable "chat_bridge_url" {
  type      = string
  ephemeral = true
  default   = "https://chat.example.com/hooks/secret"
}

# From Terraform 1.11 on: neither a plan nor the state has the address. It is sent again when the
# version changes.
resource "pager_outbound_webhook" "chat_bridge" {
  name           = "Chat bridge"
  url_wo         = var.chat_bridge_url
  url_wo_version = 1
}
