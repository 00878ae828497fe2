-- Passkeys of people: each signs its person in, without a password.
create table passkeys (
  organization_id pager_id not null,
  id pager_id not null,
  user_id pager_id not null,
  name text not null,
  -- As the authenticator names it.
  credential_id bytea not null,
  public_key bytea not null,
  -- Of its last use; an authenticator that does not count has 0.
  sign_count bigint not null,
  synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users on delete cascade
);
create unique index passkeys_by_credential on passkeys (credential_id);
create index passkeys_of_user on passkeys (user_id);

-- Challenges that were answered rightly: none is accepted twice.
create table used_challenges (
  digest bytea primary key,
  expires_at timestamptz not null
);
create index used_challenges_by_expiry on used_challenges (expires_at);
