-- When a message last showed how many alerts its incident has: while alerts join and end, it is
-- changed for that now and then. The release before shows no counts.
alter table posted add column counted_at timestamptz;
