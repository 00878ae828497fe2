-- The latest pages of an organization, whoever they went to.
create index outbox_pages on outbox (organization_id, created_at desc, key desc)
  where kind in ('page', 'nobody_paged', 'not_all_paged');
