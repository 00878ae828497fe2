variable "on_call" {
  description = "E-mail addresses of those who take turns, in this order."
  type        = list(string)
  default     = ["owner@example.com"]
}
