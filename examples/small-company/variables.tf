variable "developers" {
  description = "E-mail addresses of those who take turns by the week, in this order."
  type        = list(string)
  default     = ["owner@example.com"]
}

variable "manager" {
  description = "E-mail address of who is paged when nobody else answers."
  type        = string
  default     = "owner@example.com"
}

variable "timezone" {
  description = "Where people live."
  type        = string
  default     = "Europe/Paris"
}

variable "chat_url" {
  description = "Incoming webhook of the Slack channel that sees every page."
  type        = string
  sensitive   = true
  default     = "https://hooks.slack.example.com/services/T0/B0/secret"
}

variable "status_page_url" {
  description = "What is called when a payment fails."
  type        = string
  sensitive   = true
  default     = "https://status.example.com/hooks/pager"
}
