-- When a vendor takes the next call or message of a connection.
create table connection_lanes (
  organization_id pager_id not null,
  connection_id pager_id not null,
  channel text not null,
  free_at timestamptz not null,
  primary key (organization_id, connection_id, channel),
  foreign key (organization_id, connection_id) references channel_connections on delete cascade
);
