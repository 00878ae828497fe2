data "pager_service" "first" {
  name = "First service"
}
