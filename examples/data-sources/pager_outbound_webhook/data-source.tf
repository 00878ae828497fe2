data "pager_outbound_webhook" "tickets" {
  name = "Tickets"
}
