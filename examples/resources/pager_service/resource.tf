resource "pager_service" "checkout" {
  name        = "Checkout"
  description = "Carts, payments and receipts."

  # Where the team may change: an integration never points at an archived service.
  lifecycle {
    create_before_destroy = true
  }
}
