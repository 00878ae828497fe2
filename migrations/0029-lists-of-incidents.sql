-- The order of urgency: triggered before acknowledged, then by priority, then by severity; those
-- without one come last.
create function incident_urgency(status text, priority text, severity text) returns integer
language sql immutable parallel safe as $$
  select case status when 'triggered' then 0 else 100 end
    + coalesce(array_position(array['p1', 'p2', 'p3', 'p4', 'p5'], priority), 9) * 10
    + coalesce(array_position(array['sev1', 'sev2', 'sev3'], severity), 9)
$$;

-- The lists of those that are open, by number and by urgency.
create index incidents_open on incidents (organization_id, number) where status <> 'resolved';
create index incidents_urgency
  on incidents (organization_id, incident_urgency(status, priority, severity), (-number))
  where status <> 'resolved';
-- Where an interval begins and ends, and what was resolved lately.
create index incidents_opened on incidents (organization_id, created_at);
create index incidents_resolved on incidents (organization_id, resolved_at)
  where status = 'resolved';
