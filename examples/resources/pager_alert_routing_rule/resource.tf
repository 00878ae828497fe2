data "pager_user" "owner" {
  email = "owner@example.com"
}

resource "pager_alert_routing_rule" "payments_at_night" {
  name = "Payments at night"

  # Any group is enough; of a group, all conditions must hold.
  condition_groups = [{
    conditions = [
      { type = "incidentMessage", comparator = "contains", text = "payment" },
      { type = "incidentTiming", start = "22:00", end = "06:00", timezone = "Europe/Paris" },
    ]
  }]

  actions = [
    { type = "priority", priority = "p1" },
    { type = "reassignIncident", user_id = data.pager_user.owner.id },
  ]
}
