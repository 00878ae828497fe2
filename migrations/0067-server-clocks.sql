-- What the clocks of running servers are ahead of the database's, for the log and the attention strip.
create table server_clocks (
  id pager_id primary key,
  host text not null,
  ahead_ms bigint not null,
  read_at timestamptz not null
);
