data "pager_channel_connections" "all" {}

check "connections_work" {
  assert {
    condition = alltrue([
      for connection in data.pager_channel_connections.all.channel_connections :
      connection.health != "failing" if connection.enabled
    ])
    error_message = "A channel connection is failing."
  }
}
