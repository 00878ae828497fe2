-- Nested values are `json`, not `jsonb`: what was sent is echoed in its own order.
-- Sensitive texts (x-sensitive in the declarations) are stored encrypted.

create table services (
  organization_id pager_id not null references organizations,
  id pager_id not null,
  counter integer not null,
  version integer not null,
  team_id pager_id not null,
  name text not null,
  description text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, team_id) references teams,
  constraint services_counter unique (organization_id, counter)
);

create table escalation_policies (
  organization_id pager_id not null references organizations,
  id pager_id not null,
  counter integer not null,
  version integer not null,
  team_id pager_id not null,
  name text not null,
  steps json not null,
  delay_minutes integer,
  description text,
  archive_replacement_policy_id pager_id,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, team_id) references teams,
  constraint escalation_policies_counter unique (organization_id, counter)
);

create table integrations (
  organization_id pager_id not null references organizations,
  id pager_id not null,
  counter integer not null,
  version integer not null,
  team_id pager_id not null,
  slug text not null,
  service_id pager_id not null,
  escalation_policy_id pager_id not null,
  name text,
  description text,
  ack_timeout_minutes integer,
  repeat_escalation boolean not null,
  auto_resolve json,
  disable_incident_suppression boolean not null,
  enabled boolean not null,
  token_encrypted text not null,
  token_digest bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, team_id) references teams,
  foreign key (organization_id, service_id) references services,
  foreign key (organization_id, escalation_policy_id) references escalation_policies,
  constraint integrations_counter unique (organization_id, counter)
);
create unique index integrations_by_token on integrations (token_digest);
create index integrations_of_policy on integrations (organization_id, escalation_policy_id);
create index integrations_of_service on integrations (organization_id, service_id);

create table alert_routing_rules (
  organization_id pager_id not null references organizations,
  id pager_id not null,
  counter integer not null,
  version integer not null,
  team_id pager_id not null,
  name text not null,
  condition_groups json not null,
  actions json not null,
  integration_ids json,
  service_ids json,
  description text,
  enabled boolean not null,
  position integer,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, team_id) references teams,
  constraint alert_routing_rules_counter unique (organization_id, counter)
);

create table outbound_webhooks (
  organization_id pager_id not null references organizations,
  id pager_id not null,
  counter integer not null,
  version integer not null,
  team_id pager_id not null,
  name text not null,
  url text not null,
  method text not null,
  content_type text not null,
  headers json,
  description text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, team_id) references teams,
  constraint outbound_webhooks_counter unique (organization_id, counter)
);

create table oncall_schedules (
  organization_id pager_id not null references organizations,
  id pager_id not null,
  counter integer not null,
  version integer not null,
  team_id pager_id not null,
  name text not null,
  layers json not null,
  timezone text not null,
  -- Per layer, in order: its id, a boundary of its rotation, and the turn that begins there.
  anchors json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, team_id) references teams,
  constraint oncall_schedules_counter unique (organization_id, counter)
);
