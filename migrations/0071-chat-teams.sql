-- Groups of rooms, such as teams of Microsoft Teams, that the app of a connection was added to, where only the
-- vendor's messages tell which these are.
create table chat_teams (
  organization_id pager_id not null,
  connection_id pager_id not null,
  team_id text not null collate "C",
  -- Empty: the vendor has not said it.
  name text not null,
  -- Where the vendor takes requests about it.
  service_url text not null,
  added_at timestamptz not null,
  primary key (organization_id, connection_id, team_id),
  foreign key (organization_id, connection_id) references channel_connections on delete cascade
);
