data "pager_escalation_policy" "page_the_owner" {
  name = "Page the owner"
}
