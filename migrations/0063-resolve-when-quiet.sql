-- Resolves what is not reported again for so long.
alter table integrations add column resolve_when_quiet json;
