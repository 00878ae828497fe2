data "pager_user" "lead" {
  email = "owner@example.com"
}

resource "pager_team" "payments" {
  name     = "Payments"
  user_ids = [data.pager_user.lead.id]
}

# What the team owns.
resource "pager_service" "ledger" {
  name    = "Ledger"
  team_id = pager_team.payments.id
}
