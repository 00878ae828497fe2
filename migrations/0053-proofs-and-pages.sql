-- When a person last answered through a contact. Apart from contacts: an answer changes nothing that
-- deciding looks up, so it must not make a new version of the configuration.
create table contact_proofs (
  organization_id pager_id not null,
  contact_id pager_id not null,
  proved_at timestamptz not null,
  primary key (organization_id, contact_id),
  foreign key (organization_id, contact_id) references contacts on delete cascade
);

-- Whoever verified a contact themselves has answered through it. The e-mail that somebody signs in with is
-- verified by whoever adds them.
insert into contact_proofs (organization_id, contact_id, proved_at)
select organization_id, id, verified_at from contacts
where verified_at > created_at or verified_at is not null and channel = 'telegram';

-- The latest notices to a person about incidents.
create index outbox_to_person on outbox (organization_id, user_id, created_at desc, key desc)
  where user_id is not null and incident_id is not null;
