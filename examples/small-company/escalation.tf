resource "pager_escalation_policy" "developers" {
  name = "Developers, then the manager"
  steps = [
    {
      targets = [
        { via = "email", oncall_schedule_id = pager_oncall_schedule.developers.id },
        { via = "slack", webhook_url = var.chat_url, channel_name = "#incidents" },
      ]
      escalate_after_minutes = 10
    },
    {
      targets = [{ via = "email", user_id = data.pager_user.manager.id }]
    },
  ]
}

# For what can wait: the mail is sent, nobody is woken by a second one.
resource "pager_escalation_policy" "quiet" {
  name          = "Quiet"
  delay_minutes = 15
  steps         = [{ targets = [{ via = "email", oncall_schedule_id = pager_oncall_schedule.developers.id }] }]
}
