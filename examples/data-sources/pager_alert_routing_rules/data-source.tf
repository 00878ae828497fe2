data "pager_alert_routing_rules" "all" {}

output "rules" {
  value = data.pager_alert_routing_rules.all.alert_routing_rules[*].name
}
