-- The weekly windows in which nobody is meant to be on call; null: none. They are no part of the revisions,
-- as they decide nothing of who is on call. The release before leaves them as they are.
alter table oncall_schedules add column uncovered_by_design json;
