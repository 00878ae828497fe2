-- What an admin sets of an account at a vendor, and readers see.
alter table channel_connections add column settings json not null default '{}';

-- Of several contacts of a person for one channel, the lowest is used first, then the oldest.
alter table contacts
  add column position integer,
  add column label text;

-- Codes and tests that were sent to people: nothing else goes where nobody has agreed to it. Counted
-- here and not in a server, for several may send, and one that restarts would begin anew.
create table sends_to_unproved (
  organization_id pager_id not null,
  user_id pager_id not null,
  channel text not null,
  -- code or test
  kind text not null,
  -- Keyed: of a number, the same for everybody who adds it.
  address_digest bytea not null,
  sent_at timestamptz not null,
  foreign key (organization_id, user_id) references users on delete cascade
);
create index sends_to_unproved_of_organization
  on sends_to_unproved (organization_id, sent_at);
create index sends_to_unproved_by_address on sends_to_unproved (address_digest, sent_at);
create index sends_to_unproved_by_time on sends_to_unproved (sent_at);

-- When somebody was last sent which answer to a text that did nothing.
create table text_answers (
  organization_id pager_id not null references organizations on delete cascade,
  -- Keyed.
  address_digest bytea not null,
  answer text not null,
  sent_at timestamptz not null,
  primary key (organization_id, address_digest, answer)
);
create index text_answers_by_time on text_answers (sent_at);
