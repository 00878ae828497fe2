-- How a team says that the bodies at an integration are read, beside its type.
alter table integrations
  add column mapping jsonb,
  -- Counts its mappings, the removal of one too.
  add column mapping_revision integer not null default 0;

-- All that an integration has had; forms are null of a removal.
create table integration_mappings (
  organization_id pager_id not null,
  integration_id pager_id not null,
  revision integer not null,
  forms jsonb,
  created_at timestamptz not null,
  created_by text not null,
  primary key (organization_id, integration_id, revision),
  foreign key (organization_id, integration_id) references integrations on delete cascade
);

-- By which mapping an event was read; null: by the type alone.
alter table events add column mapping_revision integer;
