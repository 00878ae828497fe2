-- Replies by e-mail need no connection: null.
alter table replies drop constraint replies_pkey;
alter table replies alter column connection_id drop not null;
alter table replies add constraint replies_once
  unique nulls not distinct (organization_id, connection_id, event_id);
