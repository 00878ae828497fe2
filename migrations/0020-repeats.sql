-- Of a repeat that its incident's timeline leaves to this log: that incident.
alter table events add column suppressed_onto_id pager_id;
create index events_suppressed on events (organization_id, suppressed_onto_id, received_at)
  where suppressed_onto_id is not null;
-- Repeats are counted in the incident's row: with room beside it, no index is touched.
alter table incidents set (fillfactor = 70);
