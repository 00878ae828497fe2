data "pager_user_contacts" "owner" {
  email = "owner@example.com"
}

output "channels_of_owner" {
  value = data.pager_user_contacts.owner.channels
}
