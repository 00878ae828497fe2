-- Which records of an organisation's configuration changed last, and in which version of it, so that
-- servers know when what they hold is old, and read again only what is. One row a record.
create table configuration_changes (
  organization_id pager_id not null,
  kind text not null collate "C",
  record_id pager_id not null,
  -- Null within the transaction that changes it.
  version bigint,
  primary key (organization_id, kind, record_id)
);
create index configuration_changes_by_version
  on configuration_changes (organization_id, version, kind, record_id);

create table configuration_versions (
  organization_id pager_id primary key,
  version bigint not null
);

-- Triggers, for records are also changed by the archiving of what they point to, and by hand.
-- Arguments: the kind, the column of the organisation's id, the column of the record's id.
create function note_configuration_changes() returns trigger language plpgsql as $$
begin
  execute format(
    'insert into configuration_changes as known (organization_id, kind, record_id, version)
     select distinct %I, %L, %I, null::bigint from changed order by 1, 3
     on conflict (organization_id, kind, record_id) do update set version = null',
    tg_argv[1], tg_argv[0], tg_argv[2]);
  return null;
end;
$$;

-- At the commit: the row of the version is the last that a transaction locks, so none waits for
-- another in a circle; and as they wait for each other here, versions are committed in their order.
-- A version also tells of the time, so that one that a failover lost is not given out again.
create function stamp_configuration_changes() returns trigger language plpgsql as $$
declare
  stamp bigint;
begin
  perform from configuration_changes
  where organization_id = new.organization_id and kind = new.kind and record_id = new.record_id
    and version is null;
  -- Stamped with another record of the same transaction.
  if not found then
    return null;
  end if;
  insert into configuration_versions as known (organization_id, version)
  values (new.organization_id, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
  on conflict (organization_id)
    do update set version = greatest(known.version + 1, excluded.version)
  returning version into stamp;
  update configuration_changes set version = stamp
  where organization_id = new.organization_id and version is null;
  return null;
end;
$$;

create constraint trigger configuration_is_stamped after insert or update on configuration_changes
  deferrable initially deferred for each row when (new.version is null)
  execute function stamp_configuration_changes();

do $$
declare
  kept record;
begin
  for kept in
    select * from (values
      ('organizations', 'organization', 'id', 'id'),
      ('services', 'service', 'organization_id', 'id'),
      ('escalation_policies', 'policy', 'organization_id', 'id'),
      ('integrations', 'integration', 'organization_id', 'id'),
      ('outbound_webhooks', 'webhook', 'organization_id', 'id'),
      ('alert_routing_rules', 'rule', 'organization_id', 'id'),
      ('playbooks', 'playbook', 'organization_id', 'id'),
      ('oncall_schedules', 'schedule', 'organization_id', 'id'),
      ('schedule_revisions', 'schedule', 'organization_id', 'oncall_schedule_id'),
      ('oncall_overrides', 'schedule', 'organization_id', 'oncall_schedule_id'),
      ('schedule_notifications', 'schedule', 'organization_id', 'oncall_schedule_id'),
      ('users', 'person', 'organization_id', 'id'),
      ('contacts', 'person', 'organization_id', 'user_id'),
      ('user_notifications', 'person', 'organization_id', 'user_id'),
      ('teams', 'team', 'organization_id', 'id'),
      ('team_members', 'team', 'organization_id', 'team_id')
    ) as kept (table_name, kind, organization, record)
  loop
    execute format(
      'create trigger configuration_is_added after insert on %I
       referencing new table as changed for each statement
       execute function note_configuration_changes(%L, %L, %L)',
      kept.table_name, kept.kind, kept.organization, kept.record);
    execute format(
      'create trigger configuration_is_changed after update on %I
       referencing new table as changed for each statement
       execute function note_configuration_changes(%L, %L, %L)',
      kept.table_name, kept.kind, kept.organization, kept.record);
    execute format(
      'create trigger configuration_is_removed after delete on %I
       referencing old table as changed for each statement
       execute function note_configuration_changes(%L, %L, %L)',
      kept.table_name, kept.kind, kept.organization, kept.record);
    -- What is there already is the first version.
    execute format(
      'insert into configuration_changes (organization_id, kind, record_id, version)
       select distinct %I, %L, %I, 1 from %I on conflict do nothing',
      kept.organization, kept.kind, kept.record, kept.table_name);
  end loop;
end;
$$;

insert into configuration_versions (organization_id, version) select id, 1 from organizations;

-- What this replaces.
drop trigger rules_are_added on alert_routing_rules;
drop trigger rules_are_changed on alert_routing_rules;
drop trigger playbooks_are_added on playbooks;
drop trigger playbooks_are_changed on playbooks;
drop function count_rule_changes();
drop table rule_books;
