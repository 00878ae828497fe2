-- Someone asks the other people on a schedule to cover a shift. The override is created when one of them
-- accepts. The release before does not know these requests: none is made while a server of it may run.
create table cover_requests (
  organization_id pager_id not null,
  oncall_schedule_id pager_id not null,
  id pager_id not null,
  -- Whose shift it is.
  user_id pager_id not null,
  start_at timestamptz not null,
  end_at timestamptz not null,
  comment text,
  -- The ids of the people who were asked, in the order of the layers.
  candidates json not null,
  requested_by json not null,
  created_at timestamptz not null,
  -- An open one expires at its end, which is not stored.
  state text not null default 'open',
  accepted_by pager_id,
  accepted_at timestamptz,
  override_id pager_id,
  primary key (organization_id, id),
  foreign key (organization_id, oncall_schedule_id) references oncall_schedules,
  foreign key (organization_id, user_id) references users,
  foreign key (organization_id, accepted_by) references users,
  constraint cover_requests_have_a_span check (start_at < end_at),
  constraint cover_request_state_is_known check (state in ('open', 'accepted', 'withdrawn')),
  constraint accepted_cover_requests_have_an_override check (
    (state = 'accepted') = (override_id is not null)
    and (state = 'accepted') = (accepted_by is not null)
    and (state = 'accepted') = (accepted_at is not null))
);
create index cover_requests_of_schedule
  on cover_requests (organization_id, oncall_schedule_id, id);
create index open_cover_requests on cover_requests (organization_id, id) where state = 'open';
