-- When a person last wrote to a connection through a contact. Some vendors let Pager write freely only for a
-- time after that. Apart from contacts, for the same reason as contact_proofs.
create table contact_windows (
  organization_id pager_id not null,
  contact_id pager_id not null,
  connection_id pager_id not null,
  wrote_at timestamptz not null,
  primary key (organization_id, contact_id, connection_id),
  foreign key (organization_id, contact_id) references contacts on delete cascade,
  foreign key (organization_id, connection_id) references channel_connections on delete cascade
);
create index contact_windows_of_connection on contact_windows (organization_id, connection_id);
