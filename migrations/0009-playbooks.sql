create table playbooks (
  organization_id pager_id not null references organizations,
  id pager_id not null,
  counter integer not null,
  version integer not null,
  team_id pager_id not null,
  name text not null,
  actions json not null,
  run_automatically json,
  condition_groups json,
  description text,
  enabled boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, team_id) references teams,
  constraint playbooks_counter unique (organization_id, counter)
);
create index playbooks_by_team on playbooks (organization_id, team_id);

create trigger playbooks_are_added after insert on playbooks
  referencing new table as changed for each statement execute function count_rule_changes();
create trigger playbooks_are_changed after update on playbooks
  referencing new table as changed for each statement execute function count_rule_changes();
