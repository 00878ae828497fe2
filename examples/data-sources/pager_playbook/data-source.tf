data "pager_playbook" "welcome" {
  name = "Welcome"
}
