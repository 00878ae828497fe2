variable "on_call" {
  description = "E-mail addresses of those who take turns by the week, in this order."
  type        = list(string)
  default     = ["owner@example.com"]
}

variable "restriction" {
  description = "When they are on call; null: always."
  type = object({
    type    = string
    windows = list(object({ from_day = string, from_time = string, to_day = string, to_time = string }))
  })
  default = null
}

variable "group_by" {
  description = "What alerts would have in common to join one incident."
  type        = list(string)
  default     = ["title"]
}
