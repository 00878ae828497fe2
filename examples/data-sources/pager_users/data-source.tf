data "pager_users" "owners" {
  role = "owner"
}

output "owners" {
  value = [for user in data.pager_users.owners.users : user.email if user.active]
}
