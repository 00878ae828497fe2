-- Whether only test events made an incident: reports leave it out. The release before writes none.
alter table incidents add column is_test boolean not null default false;
-- The few of them, for reports about pages.
create index incidents_of_tests on incidents (organization_id, id) where is_test;
