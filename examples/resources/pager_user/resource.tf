resource "pager_user" "ada" {
  first_name = "Ada"
  last_name  = "Lovelace"
  email      = "ada@example.com"
  role       = "responder"
  timezone   = "Europe/London"
}

resource "pager_oncall_schedule" "ledger" {
  name = "Ledger"
  layers = [{
    users    = [pager_user.ada.id]
    rotation = { length = 1, unit = "weeks" }
  }]
}
