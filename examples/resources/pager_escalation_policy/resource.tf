data "pager_user" "owner" {
  email = "owner@example.com"
}

resource "pager_oncall_schedule" "primary" {
  name = "Primary"
  layers = [{
    users    = [data.pager_user.owner.id]
    rotation = { length = 1, unit = "weeks" }
  }]
}

resource "pager_escalation_policy" "checkout" {
  name = "Checkout"
  steps = [
    {
      targets                = [{ via = "email", oncall_schedule_id = pager_oncall_schedule.primary.id }]
      escalate_after_minutes = 5
    },
    {
      targets = [
        { via = "email", user_id = data.pager_user.owner.id },
        { via = "slack", channel_id = "C0123456789", channel_name = "#checkout", mention = "@channel" },
      ]
    },
  ]
}
