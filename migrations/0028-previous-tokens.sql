-- The token that an integration had before its last rotation, which is accepted for some time more.
alter table integrations
  add column previous_token_digest bytea,
  add column previous_token_expires_at timestamptz,
  add constraint integrations_previous_token
    check ((previous_token_digest is null) = (previous_token_expires_at is null));
create unique index integrations_by_previous_token on integrations (previous_token_digest);
