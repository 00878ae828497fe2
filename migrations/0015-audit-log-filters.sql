-- The audit log by what was done, to what and by whom, newest first.
create index audit_of_kind on audit_log (organization_id, kind, id);
create index audit_of_action on audit_log (organization_id, action, id);
create index audit_of_actor on audit_log (organization_id, (actor->>'id'), id);
