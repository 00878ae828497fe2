-- The key that made a key; null: a person or the operator did, or a server of an earlier release. When
-- a leaked key is revoked, the keys that its finder made with it must be found.
alter table api_keys add column made_by_key_id pager_id;
alter table api_keys add constraint key_is_made_by_a_key
  foreign key (organization_id, made_by_key_id) references api_keys;
create index api_keys_made_by_key on api_keys (organization_id, made_by_key_id)
  where made_by_key_id is not null;
