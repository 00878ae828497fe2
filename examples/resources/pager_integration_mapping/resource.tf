data "pager_integration" "pumps" {
  name = "First webhook"
}

# A home-made tool sends:
# { "probe": { "id": 7, "label": "Pump 7" }, "condition": "BROKEN", "cause": "no pressure" }
resource "pager_integration_mapping" "pumps" {
  integration_id = data.pager_integration.pumps.id

  forms = [{
    when    = ["probe.id"]
    name    = ["probe.label"]
    message = ["cause"]
    key     = [["probe.id"]]
    state = [{
      at      = ["condition"]
      trigger = "broken"
      resolve = "working"
    }]
    severity = {
      at   = ["condition"]
      sev1 = "broken"
    }
    links = {
      Panel = ["panel_url"]
    }
  }]
}
