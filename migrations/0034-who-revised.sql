-- Who made a revision, and the tool that said with that write that it manages the schedule. Null:
-- a server of 0.1.0 made it.
alter table schedule_revisions
  add column actor json,
  add column managed_by json;
