-- The second factor of people who sign in with a code besides their password. It counts from when a
-- code has confirmed it. Failed codes make the next one wait, on every server.
create table second_factors (
  organization_id pager_id not null,
  user_id pager_id not null,
  secret_encrypted text not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  -- The interval of the last code that was accepted: neither it nor an older one is again.
  last_interval bigint not null default 0,
  failures integer not null default 0,
  next_try_at timestamptz,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users on delete cascade
);
create table recovery_codes (
  organization_id pager_id not null,
  user_id pager_id not null,
  digest bytea not null,
  primary key (organization_id, user_id, digest),
  foreign key (organization_id, user_id) references second_factors on delete cascade
);
