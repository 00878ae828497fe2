-- Whether a key ends with the key that made it. Keys of before stay: whoever revokes their maker is told
-- of them, as until now. A server of an earlier release makes such keys still.
alter table api_keys add column ends_with_maker boolean not null default false;
