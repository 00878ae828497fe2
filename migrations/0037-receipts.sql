-- The vendor that took an attempt, and what it reported of it last. Texts without a domain, and checks
-- of new rows alone: neither rewrites nor reads the table, which is large.
alter table attempts
  add column connection_id text collate "C",
  add column vendor_id text,
  add column receipt text,
  add column receipt_reason text,
  add column receipt_blame text,
  add column receipt_at timestamptz,
  add constraint receipt_is_known check (receipt in
    ('sent', 'answered', 'undelivered', 'unanswered', 'read_out', 'delivered', 'acted'))
    not valid,
  add constraint blame_is_known check (receipt_blame in ('later', 'contact', 'connection')) not valid;

-- Callbacks name the connection alone.
create index channel_connections_by_id on channel_connections (id);
