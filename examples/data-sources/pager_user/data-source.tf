# The case of an e-mail address does not matter.
data "pager_user" "owner" {
  email = "owner@example.com"
}
