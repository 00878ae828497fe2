resource "pager_organization" "this" {
  timezone = "Europe/Berlin"

  shift_notifications = {
    slack = [{
      channel_id   = "C024BE91L"
      channel_name = "#on-call"
    }]
  }

  retention = {
    timelines_days = 730
    audit_log_days = 1825
  }
}
