-- Who somebody is whom a vendor names, such as a member of a Slack workspace.
create table chat_accounts (
  organization_id pager_id not null,
  id pager_id not null,
  connection_id pager_id not null,
  vendor_user_id text not null collate "C",
  -- As they call themselves at the vendor.
  vendor_user_name text not null,
  user_id pager_id not null,
  how text not null,
  linked_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, connection_id, vendor_user_id),
  foreign key (organization_id, connection_id) references channel_connections on delete cascade,
  foreign key (organization_id, user_id) references users on delete cascade,
  constraint how_is_known check (how in ('email', 'link'))
);
create index chat_accounts_of_user on chat_accounts (organization_id, user_id);

-- What somebody at a vendor is given, to show signed in who they are.
create table chat_link_codes (
  digest bytea primary key,
  organization_id pager_id not null,
  connection_id pager_id not null,
  vendor_user_id text not null collate "C",
  vendor_user_name text not null,
  expires_at timestamptz not null,
  unique (organization_id, connection_id, vendor_user_id),
  foreign key (organization_id, connection_id) references channel_connections on delete cascade
);
create index chat_link_codes_by_expiry on chat_link_codes (expires_at);
