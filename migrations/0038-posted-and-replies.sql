-- Messages that stand outside and can still be changed, each as the attempt that sent it has it.
create table posted (
  organization_id pager_id not null,
  key text not null collate "C",
  number integer not null,
  incident_id pager_id not null,
  -- Null where the channel needs none. No reference: what was sent is recorded, whatever became of it.
  connection_id pager_id,
  place text not null collate "C",
  message_id text not null collate "C",
  -- Stands for what it shows of the incident; null: that is not known.
  shows text,
  -- When it is to be compared with its incident.
  wake_at timestamptz not null,
  -- Of the server that changes it now.
  lease_until timestamptz,
  -- How often its incident has changed, and when it last did.
  changes integer not null default 0,
  changed_at timestamptz not null,
  -- When what was last said below it was done; null: nothing was said.
  commented_at timestamptz,
  -- Since it changed.
  tries integer not null default 0,
  -- An attempt may leave several, such as one on each device.
  primary key (organization_id, key, number, place),
  foreign key (organization_id, key) references outbox on delete cascade,
  -- What is sent to the same place again as the same message, such as a push, takes its place.
  constraint posted_once unique nulls not distinct
    (organization_id, connection_id, place, message_id)
);
create index posted_of_incident on posted (organization_id, incident_id);
create index posted_wakes on posted (wake_at);
create index posted_of_organization on posted (organization_id, wake_at);
-- Those that somebody has just acted on come first.
create index posted_acted_on on posted (wake_at) where shows is null;

-- What people did at a vendor, by its name for that: once it has acted it acts no more, and what is
-- listed again is not read again.
create table replies (
  organization_id pager_id not null,
  connection_id pager_id not null,
  event_id text not null collate "C",
  -- Null: it did nothing to an incident.
  incident_id pager_id,
  acted_at timestamptz not null,
  primary key (organization_id, connection_id, event_id),
  foreign key (organization_id, connection_id) references channel_connections on delete cascade
);
create index replies_by_age on replies (acted_at);
