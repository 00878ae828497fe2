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
