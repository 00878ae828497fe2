-- Whose key it is; null: the organisation's own.
alter table api_keys add column user_id pager_id;
alter table api_keys add constraint key_is_of_a_user
  foreign key (organization_id, user_id) references users;
create index api_keys_of_user on api_keys (organization_id, user_id) where user_id is not null;
