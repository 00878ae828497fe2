-- Events in one table instead of partitions by month: what is old is removed row by row, for it
-- stays while its incident is open, so no partition ever went as a whole. Nobody may write
-- meanwhile, or what they write would be lost with the old table.
lock table events in access exclusive mode;
create table events_in_one (like events including defaults including constraints);
insert into events_in_one select * from events;
drop table events;
alter table events_in_one rename to events;
alter table events add constraint events_pkey primary key (organization_id, id);
create index events_undecided on events (organization_id, integration_id, received_at, id)
  where decided_at is null;
create index events_of_integration on events (organization_id, integration_id, id);
