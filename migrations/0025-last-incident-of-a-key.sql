-- The last incident of a key is the one with the last number: of two servers' ids the smaller may
-- have come later.
drop index incidents_of_key;
create index incidents_of_key
  on incidents (organization_id, source_integration_id, dedup_key, number);
