-- What was merged into an incident: whoever was paged for it is told when that one ends.
create index incidents_merged on incidents (organization_id, merged_into_id)
  where merged_into_id is not null;
