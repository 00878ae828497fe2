-- Since when schedules follow the rules of this release: who is inactive is on call nowhere. Null as
-- long as a server of release 0.1.0 may be connected, which knows none of them.
create table schedule_rules (
  only_row boolean primary key default true check (only_row),
  in_force_from timestamptz
);
-- Where nobody has signed up yet, no older server runs.
insert into schedule_rules (in_force_from)
select case when exists (select from organizations) then null else now() end;

-- In which times a person whom a schedule names is inactive, with the edits of the schedule that
-- begin and end each. There is none before the rules of this release are in force.
create table schedule_inactivity (
  organization_id pager_id not null,
  oncall_schedule_id pager_id not null,
  user_id pager_id not null,
  edit integer not null,
  in_force_from timestamptz not null,
  ended_edit integer,
  in_force_until timestamptz,
  primary key (organization_id, oncall_schedule_id, user_id, edit),
  foreign key (organization_id, oncall_schedule_id) references shift_cursors,
  foreign key (organization_id, user_id) references users
);
create unique index inactive_now on schedule_inactivity
  (organization_id, user_id, oncall_schedule_id) where in_force_until is null;

create trigger configuration_is_added after insert on schedule_inactivity
  referencing new table as changed for each statement
  execute function note_configuration_changes('schedule', 'organization_id', 'oncall_schedule_id');
create trigger configuration_is_changed after update on schedule_inactivity
  referencing new table as changed for each statement
  execute function note_configuration_changes('schedule', 'organization_id', 'oncall_schedule_id');
create trigger configuration_is_removed after delete on schedule_inactivity
  referencing old table as changed for each statement
  execute function note_configuration_changes('schedule', 'organization_id', 'oncall_schedule_id');

-- An override may take a person off with nobody instead.
alter table oncall_overrides alter column user_id drop not null;
