import { isAfter } from '../../oncall/order.ts';
import { scheduleAsOf } from '../../oncall/revisions/history.ts';
import type { Schedule } from '../../oncall/schedule.ts';
import { shiftAt } from '../../oncall/shifts.ts';
import { beginAround } from '../../oncall/wholes.ts';
import type { Queries } from '../database/database.ts';
import { readSchedules, type ScheduleWithHistory } from './schedules.ts';

const REACH_HOURS = 8 * 24;

type SchedulesByIds = { readonly organizationId: string; readonly ids: readonly string[] };

/** The schedules with as much of their past as tells when the shift at an instant began. */
export const readSchedulesAround = (sql: Queries, query: SchedulesByIds, at: Temporal.Instant) =>
  readAround(sql, query, { at, beginOf: shiftBegin });

/** The same, also of a gap then, and of the shift that each layer has for itself. */
export const readWholeSchedules = (sql: Queries, query: SchedulesByIds, at: Temporal.Instant) =>
  readAround(sql, query, { at, beginOf: beginAround });

type Around = {
  readonly at: Temporal.Instant;
  /** When what an instant cuts began; null: nothing is cut. */
  readonly beginOf: (schedule: Schedule, at: Temporal.Instant) => Temporal.Instant | null;
};

const shiftBegin: Around['beginOf'] = (schedule, at) => shiftAt(schedule, at)?.start ?? null;

/** Most shifts are short: of the others, twice as much is read until what was before is known. */
async function readAround(
  sql: Queries,
  { organizationId, ids }: SchedulesByIds,
  { at, beginOf }: Around,
): Promise<ReadonlyMap<string, ScheduleWithHistory>> {
  const schedules = new Map<string, ScheduleWithHistory>();
  let remaining = ids;
  for (let reach = REACH_HOURS; remaining.length > 0; reach *= 2) {
    const since = at.subtract({ hours: reach });
    const batch = await readSchedules(sql, { organizationId, ids: remaining, since });
    for (const [id, schedule] of batch) schedules.set(id, schedule);
    remaining = [...batch.values()]
      .filter(({ created_at, history }) => {
        if (!isAfter(since, created_at)) return false;
        const begin = beginOf(scheduleAsOf(history), at);
        return begin !== null && !isAfter(begin, since);
      })
      .map(({ id }) => id);
  }
  return schedules;
}
