data "pager_oncall_schedule" "support" {
  name = "Support"
}

data "pager_outbound_webhook" "tickets" {
  name = "Tickets"
}

resource "pager_schedule_notifications" "support" {
  oncall_schedule_id = data.pager_oncall_schedule.support.id

  slack = [{
    channel_id   = "C024BE91L"
    channel_name = "#support"
  }]
  msteams              = []
  outbound_webhook_ids = [data.pager_outbound_webhook.tickets.id]
}
