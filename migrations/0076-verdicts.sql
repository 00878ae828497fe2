-- What people say an incident was once it is resolved, who said so last and when. Null: nobody has.
-- The release before leaves them as they are.
alter table incidents
  add column verdict text,
  add column verdict_by json,
  add column verdict_at timestamptz,
  add constraint verdict_is_known
    check (verdict in ('real', 'false_alarm', 'nothing_to_do', 'unclear')) not valid;
