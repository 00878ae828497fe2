data "pager_escalation_policies" "all" {}

# Steps may have secrets, such as the incoming webhook of a chat.
output "policies" {
  value = { for policy in data.pager_escalation_policies.all.escalation_policies : policy.id => policy.name }
}
