data "pager_user" "owner" {
  email = "owner@example.com"
}

resource "pager_notification_settings" "owner" {
  user_id     = data.pager_user.owner.id
  shift_start = ["sms", "email"]
  shift_end   = []
}
