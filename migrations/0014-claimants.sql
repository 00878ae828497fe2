-- The server that claimed it, by the lock that it holds while it lives; null if it has none.
alter table attempts add column claimed_by text collate "C";
