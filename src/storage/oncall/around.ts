import { shiftStepsOf } from '../../oncall/effort.ts';
import { earlier, isAfter, later } from '../../oncall/order.ts';
import { scheduleAsOf } from '../../oncall/revisions/history.ts';
import { beginAround, knownFrom, shiftBegin } from '../../oncall/wholes.ts';
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
  /** When what an instant cuts began, as far back as `since`; null: nothing is cut. */
  readonly beginOf: typeof shiftBegin;
};

/**
 * Most shifts are short: of the others, at least twice as much is read until what was before is
 * known. Each walk back ends where it is not known yet, so that all of them together are hardly
 * longer than the last one.
 */
async function readAround(
  sql: Queries,
  { organizationId, ids }: SchedulesByIds,
  { at, beginOf }: Around,
): Promise<ReadonlyMap<string, ScheduleWithHistory>> {
  const schedules = new Map<string, ScheduleWithHistory>();
  const most = shiftStepsOf(ids.length);
  const oldest = knownFrom(at);
  let remaining = ids;
  let since = at.subtract({ hours: REACH_HOURS });
  for (let reach = 2 * REACH_HOURS; remaining.length > 0; reach *= 2) {
    const batch = await readSchedules(sql, { organizationId, ids: remaining, since });
    for (const [id, schedule] of batch) schedules.set(id, schedule);
    if (!isAfter(since, oldest)) break;
    const known = since;
    const begun = [...batch.values()].flatMap(({ id, created_at, history }) => {
      if (!isAfter(known, created_at)) return [];
      const begin = beginOf(scheduleAsOf(history), { at, since: known, most });
      return begin === null || isAfter(begin, known) ? [] : [{ id, begin }];
    });
    remaining = begun.map(({ id }) => id);
    // What ended as it began is read, too: only then is it known that it did.
    const wanted = begun.map(({ begin }) => begin.subtract({ milliseconds: 1 }));
    since = later([at.subtract({ hours: reach }), ...wanted].reduce(earlier), oldest);
  }
  return schedules;
}
