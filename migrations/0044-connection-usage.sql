-- What was sent by a connection, by month (UTC) and calling code.
create table connection_usage (
  organization_id pager_id not null,
  connection_id pager_id not null,
  month text not null collate "C",
  channel text not null collate "C",
  -- Such as +49; empty for what has no number.
  country text not null collate "C",
  -- Transactions add to different rows, so that they do not wait for each other.
  part smallint not null,
  messages bigint not null,
  segments bigint not null,
  call_seconds bigint not null,
  primary key (organization_id, connection_id, month, channel, country, part),
  foreign key (organization_id, connection_id) references channel_connections on delete cascade
);
create index connection_usage_by_month on connection_usage (month);

alter table attempts
  -- When it was counted: once, whether its answer or its receipt comes first.
  add column counted_at timestamptz,
  -- How long its call was, once the vendor has reported that.
  add column call_seconds integer;
