import { scheduleAsOf } from '../../oncall/revisions/history.ts';
import { shiftAt } from '../../oncall/shifts.ts';
import type { Queries } from '../database/database.ts';
import { readSchedules, type ScheduleWithHistory } from './schedules.ts';

const REACH_HOURS = 8 * 24;

type SchedulesByIds = { readonly organizationId: string; readonly ids: readonly string[] };

/**
 * The schedules with as much of their past as tells when the shift at an instant began. Most
 * shifts are short: for the others, twice as much is read until what was before them is known.
 */
export async function readSchedulesAround(
  sql: Queries,
  { organizationId, ids }: SchedulesByIds,
  at: Temporal.Instant,
): Promise<ReadonlyMap<string, ScheduleWithHistory>> {
  const schedules = new Map<string, ScheduleWithHistory>();
  let remaining = ids;
  for (let reach = REACH_HOURS; remaining.length > 0; reach *= 2) {
    const since = at.subtract({ hours: reach });
    const batch = await readSchedules(sql, { organizationId, ids: remaining, since });
    for (const [id, schedule] of batch) schedules.set(id, schedule);
    remaining = [...batch.values()]
      .filter((each) => !includesShiftStart(each, since, at))
      .map(({ id }) => id);
  }
  return schedules;
}

function includesShiftStart(
  schedule: ScheduleWithHistory,
  since: Temporal.Instant,
  at: Temporal.Instant,
): boolean {
  if (Temporal.Instant.compare(since, schedule.created_at) <= 0) return true;
  const shift = shiftAt(scheduleAsOf(schedule.history), at);
  return shift === null || Temporal.Instant.compare(shift.start, since) > 0;
}
