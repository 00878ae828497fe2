data "pager_oncall_now" "support" {
  name = "Support"
}

# Null when nobody is on call.
output "on_call" {
  value = try("${data.pager_oncall_now.support.now.email} until ${data.pager_oncall_now.support.now.end}", null)
}
