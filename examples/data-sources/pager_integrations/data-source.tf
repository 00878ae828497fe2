data "pager_integrations" "all" {}

output "disabled" {
  value = [for one in data.pager_integrations.all.integrations : one.name if !one.enabled]
}
