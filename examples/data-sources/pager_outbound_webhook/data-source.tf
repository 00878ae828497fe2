data "pager_outbound_webhook" "automation" {
  name = "Automation"
}
