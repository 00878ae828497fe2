-- Accounts at vendors by which an organisation reaches people.
create table channel_connections (
  organization_id pager_id not null references organizations,
  id pager_id not null,
  version integer not null,
  name text not null,
  vendor text not null,
  -- Which account it is, as its secrets tell: it stays the same, and is connected once.
  account_id text not null,
  -- Of several for one channel, the lowest is used first.
  position integer not null,
  enabled boolean not null,
  -- By name: the text sealed, its last characters, and when it was set.
  secrets json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (organization_id, id)
);
create unique index channel_connections_by_account
  on channel_connections (organization_id, vendor, account_id) where archived_at is null;

-- How the vendor last answered. Apart, for it changes often and is no configuration.
create table connection_health (
  organization_id pager_id not null,
  connection_id pager_id not null,
  state text not null,
  reason text,
  -- What the vendor calls the account.
  account text,
  checked_at timestamptz not null,
  primary key (organization_id, connection_id),
  foreign key (organization_id, connection_id) references channel_connections on delete cascade,
  constraint state_is_known check (state in ('ok', 'failing'))
);

-- Which server receives what people do at a vendor, and how far it has received it.
create table channel_listeners (
  organization_id pager_id not null,
  connection_id pager_id not null,
  holder text not null collate "C",
  lease_until timestamptz not null,
  next_update bigint not null,
  primary key (organization_id, connection_id),
  foreign key (organization_id, connection_id) references channel_connections on delete cascade
);

-- What a person sends to a vendor's account to make a contact of theirs.
create table link_codes (
  digest bytea primary key,
  organization_id pager_id not null,
  user_id pager_id not null,
  channel text not null,
  expires_at timestamptz not null,
  unique (organization_id, user_id, channel),
  foreign key (organization_id, user_id) references users on delete cascade
);
create index link_codes_by_expiry on link_codes (expires_at);

-- The channels of an organisation are part of its configuration.
create trigger configuration_is_added after insert on channel_connections
  referencing new table as changed for each statement
  execute function note_configuration_changes('organization', 'organization_id', 'organization_id');
create trigger configuration_is_changed after update on channel_connections
  referencing new table as changed for each statement
  execute function note_configuration_changes('organization', 'organization_id', 'organization_id');
