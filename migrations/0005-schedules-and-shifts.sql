-- What was in force when: every save, archive and restore of a schedule appends one.
create table schedule_revisions (
  organization_id pager_id not null,
  oncall_schedule_id pager_id not null,
  number integer not null,
  -- Its place among all changes of the schedule and of its overrides (schedule_watches.edits).
  edit integer not null,
  in_force_from timestamptz not null,
  archived boolean not null,
  timezone text not null,
  layers json not null,
  anchors json not null,
  primary key (organization_id, oncall_schedule_id, number),
  foreign key (organization_id, oncall_schedule_id) references oncall_schedules
);

-- Each version of an override, so that the past stays as it was.
create table oncall_overrides (
  organization_id pager_id not null,
  oncall_schedule_id pager_id not null,
  id pager_id not null,
  number integer not null,
  user_id pager_id not null,
  replaces_user_id pager_id,
  start_at timestamptz not null,
  end_at timestamptz not null,
  comment text,
  -- When this version came into force, and when another (or none) took its place.
  edit integer not null,
  in_force_from timestamptz not null,
  ended_edit integer,
  in_force_until timestamptz,
  -- Of the override: the newest wins.
  created_at timestamptz not null,
  actor json not null,
  primary key (organization_id, id, number),
  foreign key (organization_id, oncall_schedule_id) references oncall_schedules,
  foreign key (organization_id, user_id) references users,
  constraint overrides_have_a_span check (start_at < end_at)
);
create index overrides_of_schedule on oncall_overrides (organization_id, oncall_schedule_id, end_at);
create unique index one_standing_version on oncall_overrides (organization_id, id)
  where in_force_until is null;

-- One row a schedule: what was announced last, and when to look again.
create table schedule_watches (
  organization_id pager_id not null,
  oncall_schedule_id pager_id not null,
  -- Changes of the schedule and its overrides so far, and those whose effect was looked at.
  edits integer not null,
  seen_edits integer not null,
  -- When the last change took effect.
  edited_at timestamptz not null,
  looked_at timestamptz not null,
  -- The shift that runs.
  shift_id pager_id,
  wake_at timestamptz,
  primary key (organization_id, oncall_schedule_id),
  foreign key (organization_id, oncall_schedule_id) references oncall_schedules
);
create index watches_due on schedule_watches (wake_at) where wake_at is not null;

-- A stretch in which one turn of one layer, or one override, was effective; its id never changes.
create table shifts (
  organization_id pager_id not null,
  id pager_id not null,
  oncall_schedule_id pager_id not null,
  user_id pager_id not null,
  -- The turn or override that it is a stretch of.
  source text not null collate "C",
  -- The layer's index; null for an override.
  layer integer,
  start_at timestamptz not null,
  -- Expected while it runs.
  end_at timestamptz not null,
  primary key (organization_id, id),
  -- Not the schedule's own row: whoever edits that waits for the watch, which would wait for it.
  foreign key (organization_id, oncall_schedule_id) references schedule_watches
);
create index shifts_of_schedule on shifts (organization_id, oncall_schedule_id, start_at);

-- Both edges of a shift, once each.
create table shift_events (
  organization_id pager_id not null,
  shift_id pager_id not null,
  type text not null,
  oncall_schedule_id pager_id not null,
  -- In the order of their recording.
  id pager_id not null,
  at timestamptz not null,
  recorded_at timestamptz not null,
  announced boolean not null,
  -- Why not.
  reason text,
  primary key (organization_id, shift_id, type),
  foreign key (organization_id, shift_id) references shifts,
  constraint type_is_known check (type in ('start', 'end'))
);
create index events_of_schedule on shift_events (organization_id, oncall_schedule_id, id);

create table user_notifications (
  organization_id pager_id not null,
  user_id pager_id not null,
  settings json not null,
  updated_at timestamptz not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users
);

create table schedule_notifications (
  organization_id pager_id not null,
  oncall_schedule_id pager_id not null,
  settings json not null,
  updated_at timestamptz not null,
  primary key (organization_id, oncall_schedule_id),
  foreign key (organization_id, oncall_schedule_id) references oncall_schedules
);

create table webhook_secrets (
  organization_id pager_id not null,
  id pager_id not null,
  outbound_webhook_id pager_id not null,
  secret_encrypted text not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, outbound_webhook_id) references outbound_webhooks
);
create index secrets_of_webhook on webhook_secrets (organization_id, outbound_webhook_id);

create table calendar_feeds (
  organization_id pager_id not null,
  id pager_id not null,
  token_digest bytea not null,
  token_encrypted text not null,
  oncall_schedule_id pager_id,
  user_id pager_id,
  created_at timestamptz not null,
  created_by json not null,
  revoked_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, oncall_schedule_id) references oncall_schedules,
  foreign key (organization_id, user_id) references users,
  constraint feed_is_of_something check (oncall_schedule_id is not null or user_id is not null)
);
create unique index calendar_feeds_by_token on calendar_feeds (token_digest);

-- Notices to persons whose first try was claimed, for the monthly limit.
create table alert_usage (
  organization_id pager_id not null references organizations,
  month text not null,
  channel text not null,
  used integer not null,
  primary key (organization_id, month, channel)
);

-- First tries of one line leave in the order of their places; a retry holds nobody up.
create sequence outbox_places;
alter table outbox add column line text collate "C";
alter table outbox add column place bigint;
-- When its first try ended; null before.
alter table outbox add column tried_at timestamptz;
create index outbox_lines on outbox (organization_id, line, place)
  where state = 'pending' and line is not null and tried_at is null;

-- Schedules that are there already: as they are now, from their creation on.
update oncall_schedules set anchors = (
  select json_agg(a.anchor::jsonb || jsonb_build_object('generated_at',
    to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by a.place)
  from json_array_elements(anchors) with ordinality as a(anchor, place));
insert into schedule_revisions
select organization_id, id, 1, 1, created_at, false, timezone, layers, anchors
from oncall_schedules;
insert into schedule_revisions
select organization_id, id, 2, 2, archived_at, true, timezone, layers, anchors
from oncall_schedules where archived_at is not null;
insert into schedule_watches
select organization_id, id, edits, edits, updated_at, updated_at, null,
  case when archived_at is null then updated_at end
from oncall_schedules,
  lateral (select case when archived_at is null then 1 else 2 end as edits) as counted;
