-- Changes, such as deployments, that tools told: read with the incidents of the service.
create index events_changes on events (organization_id, integration_id, id)
  where path = '/v2/change/enqueue' and outcome = 'ignored';
