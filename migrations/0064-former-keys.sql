-- Integrations whose open incidents may have deduplication keys as release 0.1.0 made them. They are
-- matched by those keys until no server of that release is connected.
alter table integrations add column former_keys boolean not null default false;
update integrations set former_keys = true where slug in ('webhook', 'prometheus', 'email');
-- When they were exchanged: what was opened before may have kept its former key.
alter table integrations add column keys_exchanged_at timestamptz;
create index integrations_former_keys on integrations (organization_id, id) where former_keys;
