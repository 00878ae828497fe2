import { scheduleAsOf } from '../../oncall/revisions/history.ts';
import { shiftAt } from '../../oncall/shifts.ts';
import type { Queries } from '../database.ts';
import { readSchedules, type ScheduleWithHistory } from './schedules.ts';

const REACH_HOURS = 8 * 24;

type Sought = { readonly organizationId: string; readonly ids: readonly string[] };

/**
 * The schedules with as much of their past as tells when the shift at an instant began. Most
 * shifts are short: for the others, twice as much is read until what was before them is known.
 */
export async function readSchedulesAround(
  sql: Queries,
  { organizationId, ids }: Sought,
  at: Temporal.Instant,
): Promise<ReadonlyMap<string, ScheduleWithHistory>> {
  const found = new Map<string, ScheduleWithHistory>();
  let left = ids;
  for (let reach = REACH_HOURS; left.length > 0; reach *= 2) {
    const since = at.subtract({ hours: reach });
    const known = await readSchedules(sql, { organizationId, ids: left, since });
    for (const [id, schedule] of known) found.set(id, schedule);
    left = [...known.values()].filter((each) => !tellsStart(each, since, at)).map(({ id }) => id);
  }
  return found;
}

function tellsStart(
  known: ScheduleWithHistory,
  since: Temporal.Instant,
  at: Temporal.Instant,
): boolean {
  if (Temporal.Instant.compare(since, known.created_at) <= 0) return true;
  const shift = shiftAt(scheduleAsOf(known.history), at);
  return shift === null || Temporal.Instant.compare(shift.start, since) > 0;
}
