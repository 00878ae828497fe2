data "pager_integration_types" "all" {}

output "slugs" {
  value = [for type in data.pager_integration_types.all.types : type.slug]
}
