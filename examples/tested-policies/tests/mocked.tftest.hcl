# Without a server: what the configuration says, whatever its records' ids are.
mock_provider "pager" {
  mock_data "pager_simulation" {
    defaults = { paged = true }
  }
}

run "everyone_takes_a_turn" {
  variables {
    on_call = ["ada@example.com", "bob@example.com"]
  }

  assert {
    condition     = length(pager_oncall_schedule.nights.layers[0].users) == 2
    error_message = "Everyone in on_call has a turn."
  }

  assert {
    condition     = alltrue([for step in pager_escalation_policy.nights.steps : length(step.targets) > 0])
    error_message = "Each step pages someone."
  }
}
