-- What the alerts of an integration must have in common to join one incident; none join where `by` is
-- empty, as before.
alter table integrations add column grouping json default '{"by":[]}';

-- An incident with one alert is that alert and has no rows here; what it groups by is its group key.
-- The release before reads and writes none of it.
alter table incidents
  add column group_key text,
  add column alerts_firing integer,
  add column alerts_total integer;
create index incidents_of_group on incidents (organization_id, group_key, number)
  where group_key is not null and status <> 'resolved';

create table incident_alerts (
  organization_id pager_id not null,
  incident_id pager_id not null,
  integration_id pager_id not null,
  dedup_key text not null,
  title text not null,
  severity text,
  priority text,
  state text not null,
  -- Whether its incident is open.
  is_open boolean not null,
  details json,
  links json not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- How often it was triggered.
  times integer not null,
  resolved_at timestamptz,
  -- How its source reports it, and when that counts as its end.
  reporting json not null,
  primary key (organization_id, incident_id, integration_id, dedup_key),
  foreign key (organization_id, incident_id) references incidents on delete cascade,
  constraint alert_state_is_known check (state in ('firing', 'resolved'))
);
-- The open incident that an alert belongs to; and those that it belonged to, for its tool.
create index incident_alerts_open on incident_alerts (organization_id, integration_id, dedup_key)
  where is_open;
create index incident_alerts_of_key on incident_alerts (organization_id, integration_id, dedup_key);

-- Open incidents into which others were merged have the alerts of all of them.
with recursive led as (
  select i.organization_id, i.id as into_id, i.id
  from incidents i
  where i.status <> 'resolved' and exists (
    select from incidents m
    where m.organization_id = i.organization_id and m.merged_into_id = i.id
  )
  union
  select m.organization_id, led.into_id, m.id
  from led join incidents m
    on m.organization_id = led.organization_id and m.merged_into_id = led.id
)
insert into incident_alerts (organization_id, incident_id, integration_id, dedup_key, title,
  severity, priority, state, is_open, details, links, first_at, last_at, times, reporting)
select distinct on (led.organization_id, led.into_id, i.source_integration_id, i.dedup_key)
  led.organization_id, led.into_id, i.source_integration_id, i.dedup_key, i.title, i.severity,
  i.priority, 'firing', true, i.details, i.links, i.created_at, i.updated_at,
  i.suppressed_count + 1,
  -- What ends by itself did so as a whole until now.
  json_build_object('v', 1, 'expiresAt', t.escalation->'expiresAt',
    'recentTriggers', json_build_array(), 'storm', null)
from led
join incidents i on i.organization_id = led.organization_id and i.id = led.id
join incidents t on t.organization_id = led.organization_id and t.id = led.into_id
where i.source_integration_id is not null
order by led.organization_id, led.into_id, i.source_integration_id, i.dedup_key, i.number desc;
update incidents i set alerts_firing = a.alerts, alerts_total = a.alerts
from (
  select organization_id, incident_id, count(*)::integer as alerts from incident_alerts
  group by organization_id, incident_id
) a
where i.organization_id = a.organization_id and i.id = a.incident_id;
