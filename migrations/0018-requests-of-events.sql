-- What later readers of an event need of its request; null where it came by mail, or before this.
alter table events
  add column method text,
  -- Ends in … where it was cut.
  add column query text,
  -- Those that integration types read, by their names in lower case.
  add column headers json;
