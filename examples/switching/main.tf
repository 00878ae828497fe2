data "pager_user" "on_call" {
  for_each = toset(var.on_call)
  email    = each.value
}

resource "pager_oncall_schedule" "primary" {
  name     = "Primary"
  timezone = "America/New_York"

  # The first layer is at the bottom: where several layers apply, the last one wins.
  layers = [{
    name     = "Weekly"
    users    = [for email in var.on_call : data.pager_user.on_call[email].id]
    rotation = { length = 1, unit = "weeks", handoff = "09:00", handoff_day = "monday" }
  }]
}

resource "pager_escalation_policy" "primary" {
  name = "Primary"
  steps = [
    {
      targets                = [{ via = "email", oncall_schedule_id = pager_oncall_schedule.primary.id }]
      escalate_after_minutes = 15
    },
    {
      targets = [for email in var.on_call : { via = "email", user_id = data.pager_user.on_call[email].id }]
    },
  ]
}

resource "pager_service" "checkout" {
  name = "Checkout, moved"
}

resource "pager_integration" "checkout" {
  slug                 = "pagerduty-events-v2"
  name                 = "Checkout, moved"
  service_id           = pager_service.checkout.id
  escalation_policy_id = pager_escalation_policy.primary.id
}
