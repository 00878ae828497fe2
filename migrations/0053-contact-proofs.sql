-- When a person last answered through a contact. Apart from contacts: an answer changes nothing that
-- deciding looks up, so it must not make a new version of the configuration.
create table contact_proofs (
  organization_id pager_id not null,
  contact_id pager_id not null,
  proved_at timestamptz not null,
  primary key (organization_id, contact_id),
  foreign key (organization_id, contact_id) references contacts on delete cascade
);
