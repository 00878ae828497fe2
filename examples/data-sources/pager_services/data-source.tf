data "pager_services" "payments" {
  name_contains = "payments"
}

output "service_ids" {
  value = data.pager_services.payments.services[*].id
}
