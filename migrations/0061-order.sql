-- The last end of each deduplication key that its source reported with an instant of its own: what is
-- older and comes later is late. Kept for five days.
create table alert_ends (
  organization_id text not null,
  integration_id text not null,
  dedup_key text not null,
  reported_by text not null,
  ended_at timestamptz not null,
  taken_at timestamptz not null,
  -- Of the last firing that was older, whose paging was put off.
  put_off_began_at timestamptz,
  put_off_since timestamptz,
  -- The last end of each server that sends the alert itself.
  senders json,
  primary key (organization_id, integration_id, dedup_key),
  foreign key (organization_id, integration_id) references integrations (organization_id, id)
    on delete cascade,
  check ((put_off_began_at is null) = (put_off_since is null))
);
create index alert_ends_taken on alert_ends (taken_at);
create index alert_ends_of_integration on alert_ends (organization_id, integration_id, taken_at);
