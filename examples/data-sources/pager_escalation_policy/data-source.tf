data "pager_escalation_policy" "mail_the_owner" {
  name = "Mail the owner"
}
