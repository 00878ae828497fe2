-- How long it keeps what grows; null: as long as it is kept without being told.
alter table organizations add column retention json;

-- Notices that ended, the oldest first.
create index outbox_finished on outbox (organization_id, finished_at, key)
  where finished_at is not null;

-- What was removed of an incident, as it had been kept long enough: the first entries of its
-- timeline, up to one whose code the next goes on from, sealed as the head is.
alter table timeline_heads add column removed_entries integer;
alter table timeline_heads add column removed_mac text;
alter table timeline_heads add column removed_at timestamptz;
alter table timeline_heads add column removal_seal text;
-- When the last of its notices were.
alter table timeline_heads add column notices_removed_at timestamptz;

-- What was removed of an organisation, in all.
create table removals (
  organization_id pager_id not null references organizations,
  kind text not null,
  -- What ended before is gone, but what belongs to an incident that goes on.
  until timestamptz not null,
  removed bigint not null,
  primary key (organization_id, kind)
);
