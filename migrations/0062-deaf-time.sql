-- When a server was last there, and could reach the database.
create table presence (
  id boolean primary key default true check (id),
  last_at timestamptz not null
);
-- The stop for this upgrade is such a time too; the release before noted events alone.
insert into presence (last_at)
select least(max(last.received_at), now()) from integrations i cross join lateral (
  select received_at from events e
  where e.organization_id = i.organization_id and e.integration_id = i.id
  order by e.id desc limit 1) last
having count(*) > 0;

-- Time in which no server took events: of all integrations ('' and ''), or of one whose events were
-- refused for lack of room. It does not count as silence of a tool.
create table deaf_spells (
  organization_id text not null,
  integration_id text not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  primary key (organization_id, integration_id, from_at),
  check (from_at <= to_at)
);
create index deaf_spells_end on deaf_spells (to_at);
