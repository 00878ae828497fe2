-- What a tool sent in the place of a key, of incidents whose alerts have none that tells problems
-- apart. An end that has nothing else ends the one that is open.
alter table incidents add column raw_key text;
create index incidents_raw_key_matching
  on incidents (organization_id, source_integration_id, raw_key)
  where raw_key is not null and (status <> 'resolved' or merged_into_id is not null);
create index incidents_raw_key_resolved
  on incidents (organization_id, source_integration_id, raw_key, resolved_at)
  where raw_key is not null and resolved_at is not null;

-- Who sent the last end of a key, and who had not sent one yet, of several that report its alert.
alter table alert_ends add column reporter text;
alter table alert_ends add column still_reported_by json;

-- What deciding events found odd about an integration, for the attention strip: of each kind the last.
create table integration_findings (
  organization_id pager_id not null,
  integration_id pager_id not null,
  kind text not null,
  -- The deduplication key or the sender that it is about.
  subject text not null,
  event_id pager_id not null,
  text text not null,
  at timestamptz not null,
  primary key (organization_id, integration_id, kind),
  foreign key (organization_id, integration_id) references integrations (organization_id, id)
    on delete cascade
);
