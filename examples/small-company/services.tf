locals {
  services = {
    shop     = { name = "Shop", policy = pager_escalation_policy.developers.id }
    payments = { name = "Payments", policy = pager_escalation_policy.developers.id }
    office   = { name = "Office", policy = pager_escalation_policy.quiet.id }
  }
}

resource "pager_service" "all" {
  for_each = local.services
  name     = each.value.name

  # Should the team change, the integrations move before the old service is archived.
  lifecycle {
    create_before_destroy = true
  }
}

resource "pager_integration" "prometheus" {
  for_each             = local.services
  slug                 = "prometheus"
  name                 = "Prometheus, ${each.value.name}"
  service_id           = pager_service.all[each.key].id
  escalation_policy_id = each.value.policy
  auto_resolve         = { after = 2, unit = "days" }
}

resource "pager_integration" "backups" {
  slug                 = "email"
  name                 = "Mail of the backups"
  service_id           = pager_service.all["office"].id
  escalation_policy_id = pager_escalation_policy.quiet.id
}
