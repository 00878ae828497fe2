data "pager_team" "default" {
  name = "Default"
}
