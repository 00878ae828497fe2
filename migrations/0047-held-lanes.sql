-- Until when a vendor wants nothing in a lane, and since when the lane has been in use without a long
-- pause. Null: that was before this migration.
alter table connection_lanes
  add column held_until timestamptz,
  add column used_since timestamptz;
