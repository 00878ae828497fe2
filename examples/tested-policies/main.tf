data "pager_user" "on_call" {
  for_each = toset(var.on_call)
  email    = each.value
}

resource "pager_oncall_schedule" "nights" {
  name     = "Nights"
  timezone = "Etc/UTC"
  layers = [{
    users       = [for email in var.on_call : data.pager_user.on_call[email].id]
    rotation    = { length = 1, unit = "weeks" }
    restriction = var.restriction
  }]
}

resource "pager_escalation_policy" "nights" {
  name  = "Nights"
  steps = [{ targets = [{ via = "email", oncall_schedule_id = pager_oncall_schedule.nights.id }] }]
}

resource "pager_service" "database" {
  name = "Database"
}

resource "pager_integration" "database" {
  slug                 = "webhook"
  name                 = "Database"
  service_id           = pager_service.database.id
  escalation_policy_id = pager_escalation_policy.nights.id
}
