-- Who has to change something before what was refused can be taken: contact, connection or message. Null: it
-- was not refused, or nothing but the time has to change.
alter table attempts add column blame text;
