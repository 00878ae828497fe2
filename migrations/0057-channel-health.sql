-- How well the channels work that need no connection. Of the installation, organization_id is null: its
-- mail server. Of an organization: what becomes of its mails there, the push services of its people's
-- browsers, and the hosts of its chat webhooks.
create table channel_health (
  organization_id pager_id references organizations on delete cascade,
  channel text not null,
  -- The host, where a channel leads to several; else empty.
  service text not null,
  state text not null,
  reason text,
  checked_at timestamptz not null,
  -- The last times at which it failed.
  failures timestamptz[] not null default '{}',
  -- Until then it counts as failing after several failures; null: after none.
  open_until timestamptz,
  -- When it began to fail; null: it does not.
  failing_since timestamptz,
  -- When something that was sent failed last.
  send_failed_at timestamptz,
  constraint channel_is_known_once unique nulls not distinct (organization_id, channel, service),
  constraint state_is_known check (state in ('ok', 'degraded', 'failing'))
);
create index channel_health_failing on channel_health (failing_since) where failing_since is not null;

-- When the mail server is checked next; later while a server is checking it.
create table channel_checks (
  channel text primary key,
  check_at timestamptz not null
);

-- When admins of an organization were last notified that a channel fails.
create table channel_notices (
  organization_id pager_id not null references organizations on delete cascade,
  channel text not null,
  service text not null,
  notified_at timestamptz not null,
  primary key (organization_id, channel, service)
);
