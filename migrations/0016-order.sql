-- A timeline is in the order of its places. Entries from before there were chains come before
-- these: down from 0, without a code.
update timeline t set place = older.place
from (
  select organization_id, incident_id, id,
    row_number() over (partition by organization_id, incident_id order by at, id)
      - count(*) over (partition by organization_id, incident_id) as place
  from timeline where place is null
) older
where t.organization_id = older.organization_id and t.incident_id = older.incident_id
  and t.id = older.id;
alter table timeline drop constraint timeline_pkey;
alter table timeline add primary key (organization_id, incident_id, place);

-- The audit log of an organisation is in the order of its commits, whichever server wrote: the
-- counter stays locked from the writing of an entry until the commit.
alter table audit_log add column sequence integer;
update audit_log l set sequence = older.sequence
from (
  select organization_id, id,
    row_number() over (partition by organization_id order by at, id) as sequence
  from audit_log
) older
where l.organization_id = older.organization_id and l.id = older.id;
insert into counters (organization_id, kind, last)
select organization_id, 'audit_log', max(sequence) from audit_log group by organization_id;
alter table audit_log drop constraint audit_log_pkey;
alter table audit_log add primary key (organization_id, sequence);

-- A trigger, so that the release before, which knows of no sequence, gives one too.
create function give_audit_sequence() returns trigger language plpgsql as $$
begin
  insert into counters as c (organization_id, kind, last)
  values (new.organization_id, 'audit_log', 1)
  on conflict (organization_id, kind) do update set last = c.last + 1
  returning c.last into new.sequence;
  return new;
end;
$$;
create trigger audit_log_is_in_order before insert on audit_log
  for each row execute function give_audit_sequence();

drop index audit_of_record;
drop index audit_of_kind;
drop index audit_of_action;
drop index audit_of_actor;
create index audit_of_record on audit_log (organization_id, record_id, sequence);
create index audit_of_kind on audit_log (organization_id, kind, sequence);
create index audit_of_action on audit_log (organization_id, action, sequence);
create index audit_of_actor on audit_log (organization_id, (actor->>'id'), sequence);
