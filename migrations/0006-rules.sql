-- What rules ask about an incident's past, and which rules have changed it.
update incidents
set escalation = (escalation::jsonb
  || '{"suppressedAt": [], "repeatedAt": [], "appliedRules": []}')::json;

-- Grows with every change of a team's rules, so that servers know when what they hold is old.
create table rule_books (
  organization_id pager_id not null,
  team_id pager_id not null,
  version bigint not null,
  primary key (organization_id, team_id)
);

-- A trigger, for rules are also changed by the archiving of what they point to.
create function count_rule_changes() returns trigger language plpgsql as $$
begin
  insert into rule_books as known (organization_id, team_id, version)
  select distinct organization_id, team_id, 1 from changed
  order by organization_id, team_id
  on conflict (organization_id, team_id) do update set version = known.version + 1;
  return null;
end;
$$;

create trigger rules_are_added after insert on alert_routing_rules
  referencing new table as changed for each statement execute function count_rule_changes();
create trigger rules_are_changed after update on alert_routing_rules
  referencing new table as changed for each statement execute function count_rule_changes();

insert into rule_books (organization_id, team_id, version)
select distinct organization_id, team_id, 1 from alert_routing_rules;
