-- What is known of how a vendor answers, so that all servers send in the same order.
alter table connection_health
  drop constraint state_is_known,
  add constraint state_is_known check (state in ('ok', 'degraded', 'failing')),
  -- The last times at which the vendor failed.
  add column failures timestamptz[] not null default '{}',
  -- Until then other connections are used first, and after it one page tries; null: the circuit is closed.
  add column open_until timestamptz,
  -- Until then the page that tries may take.
  add column probe_until timestamptz,
  -- When it began to fail; null: it does not.
  add column failing_since timestamptz,
  -- When something that was sent failed last.
  add column send_failed_at timestamptz,
  -- When admins were notified last that it fails.
  add column notified_at timestamptz;

-- When the credentials of a connection are checked next; later while a server is checking them.
create table connection_checks (
  organization_id pager_id not null,
  connection_id pager_id not null,
  check_at timestamptz not null,
  primary key (organization_id, connection_id),
  foreign key (organization_id, connection_id) references channel_connections on delete cascade
);
create index connection_checks_due on connection_checks (check_at);
insert into connection_checks (organization_id, connection_id, check_at)
select organization_id, id, updated_at from channel_connections;
