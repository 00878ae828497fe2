-- Every request to an integration, readable or not. Partitions are made month by month while
-- the server runs; the default one catches what no month fits.
create table events (
  organization_id pager_id not null,
  id pager_id not null,
  integration_id pager_id not null,
  received_at timestamptz not null,
  door text not null,
  path text not null,
  content_type text not null,
  body text not null,
  body_encoding text not null,
  -- Null while the event waits to be decided.
  outcome text,
  reason text,
  alerts json,
  -- How many requests this row stands for: more than one in a storm of one key.
  times integer not null default 1,
  decided_at timestamptz,
  primary key (organization_id, id, received_at),
  constraint door_is_known check (door in ('http', 'mail')),
  constraint body_encoding_is_known check (body_encoding in ('utf-8', 'base64'))
) partition by range (received_at);
create table events_other partition of events default;
create index events_undecided on events (organization_id, integration_id, received_at, id)
  where decided_at is null;
create index events_of_integration on events (organization_id, integration_id, id);

create table incidents (
  organization_id pager_id not null,
  id pager_id not null,
  number integer not null,
  title text not null,
  status text not null,
  priority text,
  severity text,
  team_id pager_id not null,
  service_id pager_id not null,
  integration_id pager_id not null,
  source_integration_id pager_id not null,
  escalation_policy_id pager_id not null,
  dedup_key text not null,
  details json,
  links json not null,
  responder_ids json not null,
  suppressed_count integer not null,
  repeat_count integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  acknowledged_at timestamptz,
  resolved_at timestamptz,
  resolved_by_timer boolean not null,
  muted_until timestamptz,
  merged_into_id pager_id,
  -- The policy's steps as they were when the incident opened; addresses in them are encrypted.
  steps json not null,
  -- The escalation's own state: cycle, next step, timers.
  escalation json not null,
  -- When the engine must look at it again: the nearest of its timers.
  wake_at timestamptz,
  primary key (organization_id, id),
  constraint incidents_number unique (organization_id, number),
  constraint status_is_known check (status in ('triggered', 'acknowledged', 'resolved'))
);
create index incidents_due on incidents (wake_at) where wake_at is not null;
-- What an event can match: open incidents, and merged ones whose key leads to another.
create index incidents_matching on incidents (organization_id, source_integration_id, dedup_key)
  where status <> 'resolved' or merged_into_id is not null;
create index incidents_of_key on incidents (organization_id, source_integration_id, dedup_key, id);

create table timeline (
  organization_id pager_id not null,
  incident_id pager_id not null,
  id pager_id not null,
  at timestamptz not null,
  type text not null,
  says text not null,
  actor json,
  details json,
  primary key (organization_id, incident_id, id)
);

-- What must be said to whom, written in the transaction that decided it.
create table outbox (
  organization_id pager_id not null,
  -- Deterministic: the same decision made twice is one row.
  key text not null collate "C",
  incident_id pager_id,
  kind text not null,
  channel text not null,
  -- Whom one slow receiver may hold up: nobody but itself.
  receiver text not null collate "C",
  -- Everything delivery needs; addresses that are secrets are encrypted.
  notice json not null,
  cycle integer not null,
  step integer not null,
  user_id pager_id,
  rank smallint not null,
  state text not null,
  reason text,
  attempts integer not null,
  created_at timestamptz not null,
  -- When to try (again); while an attempt runs, when its lease ends.
  wake_at timestamptz,
  finished_at timestamptz,
  primary key (organization_id, key),
  constraint state_is_known check (state in ('pending', 'sent', 'failed', 'cancelled'))
);
create index outbox_due on outbox (rank, created_at desc) where state = 'pending';
-- Only for the nearest wake_at: the predicate keeps the search for due notices to outbox_due.
create index outbox_wakes on outbox (wake_at) where state = 'pending' and wake_at is not null;
create index outbox_of_incident on outbox (organization_id, incident_id);

create table attempts (
  organization_id pager_id not null,
  key text not null collate "C",
  number integer not null,
  claimed_at timestamptz not null,
  finished_at timestamptz,
  outcome text,
  reason text,
  answer text,
  primary key (organization_id, key, number)
);
