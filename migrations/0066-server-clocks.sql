-- What servers noted of clocks when they last saw them agree: what the machine's own clock is ahead of
-- the database's, and when the machine was started by the database's clock, which changes only if that
-- clock jumps.
create table server_clocks (
  id pager_id primary key,
  host text not null,
  boot text not null,
  booted_at timestamptz not null,
  ahead_ms bigint not null,
  read_at timestamptz not null
);

-- Jumps of the database's clock by which waits were moved, for the attention strip.
create table clock_jumps (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  ms bigint not null,
  -- What pages was not moved, since time may have passed in truth.
  may_be_time boolean not null,
  incidents bigint not null
);
