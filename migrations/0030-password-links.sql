-- Links by which people set a password: of each person at most one invitation, and one to reset it,
-- the newest. A link that was used, or was replaced, is no longer here.
create table password_links (
  organization_id pager_id not null,
  user_id pager_id not null,
  purpose text not null,
  digest bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (organization_id, user_id, purpose),
  foreign key (organization_id, user_id) references users on delete cascade,
  constraint purpose_is_known check (purpose in ('invitation', 'reset'))
);
create unique index password_links_by_digest on password_links (digest);
create index password_links_by_expiry on password_links (expires_at);
