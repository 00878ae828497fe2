-- Claims cost by what they find, not by what may not be claimed: what waits for its line is in an
-- index of its own, and both are walked from receiver to receiver.
drop index outbox_due;
create index outbox_due on outbox (rank, created_at desc)
  where state = 'pending' and (line is null or tried_at is not null);
create index outbox_receivers on outbox (rank, receiver, wake_at)
  where state = 'pending' and (line is null or tried_at is not null);
drop index outbox_lines;
create index outbox_queued on outbox (receiver, line, place)
  where state = 'pending' and line is not null and tried_at is null;
