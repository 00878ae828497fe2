-- A caller's are counted with each new one.
create index idempotent_answers_by_caller on idempotent_answers (organization_id, caller, started_at);
