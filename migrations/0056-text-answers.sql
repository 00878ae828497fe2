-- How many answers to texts that did nothing somebody was sent since then. Null: none is counted.
alter table text_answers
  add column since timestamptz,
  add column times integer not null default 1;

-- What was sent to a person last, by one channel.
create index outbox_sent_to_person on outbox (organization_id, user_id, channel, tried_at desc)
  where user_id is not null and tried_at is not null;
