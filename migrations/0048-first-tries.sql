-- Notices that were never tried go before others that are tried again.
create index outbox_untried on outbox (rank, created_at desc)
  where state = 'pending' and ordering_key is null and tried_at is null;
