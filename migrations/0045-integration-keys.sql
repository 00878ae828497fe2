-- Keys of other services that tools go on sending: whoever has one can send events to its integration.
create table integration_keys (
  digest bytea primary key,
  organization_id pager_id not null,
  id pager_id not null,
  integration_id pager_id not null,
  kind text not null,
  -- By which people recognise it; the key itself is not stored.
  last4 text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  unique (organization_id, id),
  foreign key (organization_id, integration_id) references integrations on delete cascade
);
create index integration_keys_of_integration on integration_keys (organization_id, integration_id);

-- The first characters of tokens, for clients that take no longer keys. Which token a row belongs to
-- is said by its digest: the row of a token that no integration has any more means nothing.
create table integration_short_tokens (
  digest bytea primary key,
  token_digest bytea not null unique,
  organization_id pager_id not null,
  integration_id pager_id not null,
  foreign key (organization_id, integration_id) references integrations on delete cascade
);
create index integration_short_tokens_of_integration
  on integration_short_tokens (organization_id, integration_id);
