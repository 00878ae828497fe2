import type { shiftEventTypes } from '../../shifts/advance.ts';
import type { Queries } from '../database/database.ts';

/** An edge of a shift as it was recorded, with what was said about it; addresses are left out. */
export type ShiftEvent = {
  readonly id: string;
  readonly type: (typeof shiftEventTypes)[number];
  readonly at: Temporal.Instant;
  readonly recorded_at: Temporal.Instant;
  readonly announced: boolean;
  readonly reason: string | null;
  readonly shift_id: string;
  readonly user_id: string;
  /** Null for an override. */
  readonly layer: number | null;
  readonly start_at: Temporal.Instant;
  readonly end_at: Temporal.Instant;
  readonly notices: readonly EventNotice[];
};

type EventNotice = {
  readonly channel: string;
  readonly recipient: string | null;
  readonly state: string;
  readonly reason: string | null;
  readonly attempts: number;
};

type ShiftEventsQuery = {
  readonly organizationId: string;
  readonly scheduleId: string;
  /** Only events recorded before this one; null at the start. */
  readonly before: string | null;
  readonly limit: number;
};

/** Newest first. */
export async function listShiftEvents(
  sql: Queries,
  { organizationId, scheduleId, before, limit }: ShiftEventsQuery,
): Promise<readonly ShiftEvent[]> {
  // A zero follows the slash: between the two lie all keys that begin with what is before it.
  return sql<ShiftEvent[]>`
    select e.id, e.type, e.at, e.recorded_at, e.announced, e.reason,
      e.shift_id, s.user_id, s.layer, s.start_at, s.end_at,
      coalesce((
        select json_agg(json_build_object('channel', o.channel,
          'recipient', o.notice->>'recipient', 'state', o.state, 'reason', o.reason,
          'attempts', o.attempts) order by o.key)
        from outbox o where o.organization_id = e.organization_id
          and o.key > ('shift/' || e.shift_id || '/' || e.type || '/') collate "C"
          and o.key < ('shift/' || e.shift_id || '/' || e.type || '0') collate "C"
      ), '[]'::json) as notices
    from shift_events e
    cross join lateral (
      select user_id, layer, start_at, end_at from shifts
      where organization_id = e.organization_id and id = e.shift_id limit 1) s
    where e.organization_id = ${organizationId} and e.oncall_schedule_id = ${scheduleId}
      ${before === null ? sql`` : sql`and e.id < ${before}`}
    order by e.id desc limit ${limit}`;
}
