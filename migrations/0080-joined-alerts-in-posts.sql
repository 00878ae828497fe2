-- Until when the alerts that joined an incident are named by a message about it, or below it. Null: until
-- the message was decided. The release before names none.
alter table posted add column joined_at timestamptz;
