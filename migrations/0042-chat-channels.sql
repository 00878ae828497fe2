-- The channels of a workspace that its app can post to, as they were last read.
create table chat_channels (
  organization_id pager_id not null,
  connection_id pager_id not null,
  channel_id text not null collate "C",
  name text not null,
  is_private boolean not null,
  read_at timestamptz not null,
  primary key (organization_id, connection_id, channel_id),
  foreign key (organization_id, connection_id) references channel_connections on delete cascade
);

-- How far they are read, page by page.
create table chat_channel_readings (
  organization_id pager_id not null,
  connection_id pager_id not null,
  -- When the next page is read, or may be by another server.
  wake_at timestamptz not null,
  -- Where it begins; null: with the first channel.
  next_page text,
  pages integer not null default 0,
  -- Of the reading that is under way.
  began_at timestamptz,
  -- When all were last read; null: never yet.
  complete_at timestamptz,
  primary key (organization_id, connection_id),
  foreign key (organization_id, connection_id) references channel_connections on delete cascade
);
