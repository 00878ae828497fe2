-- Telephones in a call in which somebody presses keys: no other call is made to one until then, or
-- until the end of that call is reported.
create table busy_telephones (
  recipient_key text primary key collate "C",
  organization_id pager_id not null,
  -- The attempt that is the call.
  key text not null collate "C",
  number integer not null,
  busy_until timestamptz not null
);
create index busy_telephones_by_time on busy_telephones (busy_until);
