-- What better-auth keeps. A person who can sign in has an auth_users row with the id of the
-- users row; role, organisation and whether the person is active are only in users.
create table auth_users (
  id pager_id primary key references users (id),
  name text not null,
  -- Made of the id; the address that people sign in with is only in users.
  email text not null,
  email_verified boolean not null,
  image text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index auth_users_by_email on auth_users (email);

create table auth_sessions (
  id pager_id primary key,
  user_id pager_id not null references auth_users on delete cascade,
  token text not null,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index auth_sessions_by_token on auth_sessions (token);
create index auth_sessions_of_user on auth_sessions (user_id);
create index auth_sessions_by_expiry on auth_sessions (expires_at);

create table auth_accounts (
  id pager_id primary key,
  user_id pager_id not null references auth_users on delete cascade,
  account_id text not null,
  -- `credential`: an e-mail address and a password.
  provider_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index auth_accounts_of_provider on auth_accounts (provider_id, account_id);
create index auth_accounts_of_user on auth_accounts (user_id);

create table auth_verifications (
  id pager_id primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index auth_verifications_by_identifier on auth_verifications (identifier);

-- The one code that is out to prove that a contact is its owner's.
create table contact_codes (
  organization_id pager_id not null,
  contact_id pager_id not null,
  digest bytea not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  tries integer not null,
  primary key (organization_id, contact_id),
  foreign key (organization_id, contact_id) references contacts on delete cascade
);
