-- Integrations whose open incidents may have deduplication keys as release 0.1.0 made them. They are
-- matched by those keys until no server of that release is connected.
alter table integrations add column former_keys boolean not null default false;
update integrations set former_keys = true where slug in ('webhook', 'prometheus', 'email');
-- When they were exchanged: what was opened before may have kept its former key.
alter table integrations add column keys_exchanged_at timestamptz;
create index integrations_former_keys on integrations (organization_id, id) where former_keys;
-- When the exchange is tried again after it failed.
alter table integrations add column keys_next_try_at timestamptz;
-- The exchange made the key again, from stored events: it is a key of this release.
alter table incidents add column has_exchanged_key boolean not null default false;
