# A new server has no channel connection: set the name once one is there.
variable "alerts_channel" {
  type    = string
  default = ""
}

data "pager_chat_channel" "alerts" {
  count = var.alerts_channel == "" ? 0 : 1
  via   = "slack"
  name  = var.alerts_channel
}

resource "pager_escalation_policy" "chat" {
  count = var.alerts_channel == "" ? 0 : 1
  name  = "Chat"
  steps = [{
    targets = [{
      via        = "slack"
      channel_id = data.pager_chat_channel.alerts[0].channel_id
    }]
  }]
}
