-- Each entry of a timeline carries a code over itself and the code before it. Entries that are
-- older than this have neither place nor code.
alter table timeline add column place integer;
alter table timeline add column mac text;

-- Where the chain of an incident's timeline ends, so that a lost end shows too.
create table timeline_heads (
  organization_id pager_id not null,
  incident_id pager_id not null,
  entries integer not null,
  -- Of the last entry.
  mac text not null,
  -- Over this row: without the key, no earlier end can be made to look like the last.
  seal text not null,
  primary key (organization_id, incident_id)
);

-- How many entries the incident's timeline had when the notice was claimed.
alter table attempts add column entries_before integer;
