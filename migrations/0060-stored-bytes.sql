-- How much an integration has stored of a day (UTC): one row each, which the next day takes over.
-- Transactions that change it hold the lock of the integration, so it makes nobody wait.
create table stored_bytes (
  organization_id pager_id not null,
  integration_id pager_id not null,
  day date not null,
  bytes bigint not null,
  -- Events of the day that were cut.
  cut_events bigint not null,
  -- When the last one was, of whatever day.
  cut_at timestamptz,
  -- By outcome, the event of the day onto whose row further ones of no incident are counted.
  rows json not null,
  primary key (organization_id, integration_id)
) with (fillfactor = 50);

-- Of an event that was cut: how many bytes its body had.
alter table events add column cut_from integer;
