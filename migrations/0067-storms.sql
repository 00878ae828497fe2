-- Incidents in a storm that no notice to the admins of their team has named yet.
create table storms (
  organization_id pager_id not null,
  incident_id pager_id not null,
  team_id pager_id not null,
  began_at timestamptz not null,
  primary key (organization_id, incident_id),
  foreign key (organization_id, incident_id) references incidents (organization_id, id)
    on delete cascade
);
create index storms_teams on storms (organization_id, team_id, began_at, incident_id);

-- When the admins of a team were last notified of storms.
create table storm_notices (
  organization_id pager_id not null,
  team_id pager_id not null,
  notified_at timestamptz not null,
  primary key (organization_id, team_id),
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade
);
