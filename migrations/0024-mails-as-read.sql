-- What was read of a mail when it came, for reading may take long and is done once; null where an
-- event came by HTTP, or before this.
alter table events add column mail json;
