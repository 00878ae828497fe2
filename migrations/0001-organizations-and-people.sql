-- Ids are compared as bytes, whatever the database's locale: they are ordered by time.
create domain pager_id as text collate "C" check (length(value) = 24);

-- One row a fact about the installation, such as the fingerprint of the secret key.
create table installation (
  key text primary key,
  value text not null
);

create table organizations (
  id pager_id primary key,
  name text not null,
  timezone text not null,
  monthly_alert_limit integer,
  shift_notifications json,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table users (
  organization_id pager_id not null references organizations,
  id pager_id not null,
  first_name text not null,
  last_name text not null,
  email text not null,
  role text not null,
  timezone text,
  active boolean not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  constraint role_is_known check (role in ('viewer', 'responder', 'manager', 'admin', 'owner'))
);
-- People sign in by their address alone, so it is unique across organisations.
create unique index users_by_email on users (lower(email));
create unique index users_by_id on users (id);

create table teams (
  organization_id pager_id not null references organizations,
  id pager_id not null,
  name text not null,
  is_default boolean not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (organization_id, id)
);
create unique index one_default_team on teams (organization_id)
  where is_default and archived_at is null;

create table team_members (
  organization_id pager_id not null,
  team_id pager_id not null,
  user_id pager_id not null,
  position integer not null,
  primary key (organization_id, team_id, user_id),
  foreign key (organization_id, team_id) references teams,
  foreign key (organization_id, user_id) references users
);
create index teams_of_user on team_members (organization_id, user_id);

create table contacts (
  organization_id pager_id not null,
  id pager_id not null,
  user_id pager_id not null,
  channel text not null,
  address text not null,
  verified_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users
);
create index contacts_of_user on contacts (organization_id, user_id);

create table api_keys (
  organization_id pager_id not null references organizations,
  id pager_id not null,
  name text not null,
  role text not null,
  team_ids json,
  default_team_id pager_id,
  prefix text not null,
  digest bytea not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  created_by text not null,
  archived_at timestamptz,
  primary key (organization_id, id)
);
create unique index api_keys_by_digest on api_keys (digest);

-- The last number given out, per organisation and kind of record.
create table counters (
  organization_id pager_id not null,
  kind text not null,
  last integer not null,
  primary key (organization_id, kind)
);

create table audit_log (
  organization_id pager_id not null,
  id pager_id not null,
  at timestamptz not null,
  actor json not null,
  action text not null,
  kind text not null,
  record_id pager_id not null,
  before json,
  after json,
  request_id text,
  primary key (organization_id, id)
);
create index audit_of_record on audit_log (organization_id, record_id);

create table idempotent_answers (
  organization_id pager_id not null,
  caller text not null,
  route text not null,
  key text not null,
  body_digest bytea not null,
  started_at timestamptz not null,
  status integer,
  answer_encrypted text,
  primary key (organization_id, caller, route, key)
);
create index idempotent_answers_by_age on idempotent_answers (started_at);
