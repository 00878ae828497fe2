resource "pager_playbook" "disk_full" {
  name              = "Disk full"
  run_automatically = ["triggered"]
  condition_groups = [{
    conditions = [{ type = "incidentMessage", comparator = "contains", text = "disk full" }]
  }]
  actions = [
    { type = "note", text = "Free space on {{details.labels.host}} first." },
    { type = "addLink", href = "https://wiki.example.com/disk-full", text = "What to do" },
  ]
}

# By a rule, before anyone is paged.
resource "pager_alert_routing_rule" "acknowledge_tests" {
  name = "Tests are acknowledged"
  condition_groups = [{
    conditions = [{ type = "incidentMessage", comparator = "startsWith", text = "[test]" }]
  }]
  actions = [{ type = "playbook", playbook_id = pager_playbook.tests.id }]
}

resource "pager_playbook" "tests" {
  name    = "Tests"
  actions = [{ type = "acknowledgeIncident" }]
}
