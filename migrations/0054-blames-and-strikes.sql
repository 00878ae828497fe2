-- Who has to change something before what was refused can be taken: contact, connection or message. Null: it
-- was not refused, or nothing but the time has to change.
alter table attempts add column blame text;

-- Contacts of which a vendor said once that nothing can arrive there. Carriers report that by mistake, too: a
-- contact is not used any more after the second time. Apart from contacts, as a strike changes nothing that
-- deciding looks up.
create table contact_strikes (
  organization_id pager_id not null,
  contact_id pager_id not null,
  struck_at timestamptz not null,
  primary key (organization_id, contact_id),
  foreign key (organization_id, contact_id) references contacts on delete cascade
);
