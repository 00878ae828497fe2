// Who is on call of one schedule: all its shifts in an interval, and the one that runs.
import { queryLimits } from '../../limits/queries.ts';
import { areCheapShifts, isCheap } from '../../oncall/effort.ts';
import { scheduleAsOf } from '../../oncall/revisions/history.ts';
import type { Shift } from '../../oncall/schedule.ts';
import { shiftAt } from '../../oncall/shifts.ts';
import { optional, wholeNumber } from '../../resources/declaration/field.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { readSchedulesAround } from '../../storage/oncall/around.ts';
import { readPeople } from '../../storage/oncall/people.ts';
import { timeText } from '../../storage/records/rows.ts';
import { JsonText, taskRequester } from '../computing/computer.ts';
import { notFound } from '../failures.ts';
import { readQuery } from '../records/list-query.ts';
import { type Call, ok, type Route } from '../route.ts';
import { followingShifts, listedShifts, searchedAfter } from './computed-shifts.ts';
import { intervalOf, type OncallParts, scheduleAround, scheduleId, timeParam } from './params.ts';
import { renderWholeShift } from './render.ts';
import { nowShape, shiftsShape } from './shapes.ts';

const tag = oncallSchedule.table;

const shiftsQuery = {
  from: optional(timeParam('The start of the interval. Default: now.')),
  to: optional(
    timeParam('The end of the interval, at most 2 years after from. Default: 14 days after from.'),
  ),
  layer: optional(
    wholeNumber({
      doc: 'The index of one layer, from 0, to list the shifts of that layer on its own. Default: all layers together.',
      min: 0,
      max: 99,
    }),
  ),
};
const nowQuery = { at: optional(timeParam('The time to look up. Default: now.')) };

export const shiftRoutes = ({ sql, compute }: OncallParts): readonly Route[] => [
  {
    method: 'GET',
    path: '/on-calls/:id/shifts',
    tag,
    role: 'viewer',
    doc: `Lists the shifts in a past or future interval, cut to the interval, at most ${queryLimits.shifts} at once.`,
    query: shiftsQuery,
    answers: { status: 200, schema: shiftsShape },
    async handle(call) {
      const { layer, ...span } = readQuery(shiftsQuery, call);
      const interval = intervalOf(span, call.now);
      const known = await scheduleAround(sql, call, interval.from);
      const schedule = scheduleAsOf(known.history);
      const listing = { schedule, interval, layer };
      if (areCheapShifts([schedule], interval)) return ok(listedShifts(listing));
      return ok(new JsonText(await compute(taskRequester(call), 'shifts', listing)));
    },
  },
  {
    method: 'GET',
    path: '/on-calls/:id/now',
    tag,
    role: 'viewer',
    doc: 'Returns who is on call for a schedule and who is next within a year.',
    query: nowQuery,
    answers: { status: 200, schema: nowShape },
    async handle(call) {
      const at = atOf(readQuery(nowQuery, call), call);
      const { now, next } = await nowAndNext({ sql, compute }, call, at);
      const people = await peopleOf(sql, call, [now, next]);
      const [running, coming] = [now, next].map((shift) => renderWholeShift(shift, people));
      return ok({ at: timeText(at), now: running, next: coming });
    },
  },
];

export const atOf = ({ at }: { readonly at?: string }, { now }: Call) =>
  at === undefined ? now : Temporal.Instant.from(at);

async function nowAndNext(parts: OncallParts, call: Call, at: Temporal.Instant) {
  const { sql } = parts;
  const id = await scheduleId(sql, call);
  const { organizationId } = call.caller;
  const known = (await readSchedulesAround(sql, { organizationId, ids: [id] }, at)).get(id);
  if (known === undefined) throw notFound();
  const schedule = scheduleAsOf(known.history);
  const [next = null] = await followingOf(parts, call, { schedules: [schedule], after: at });
  return { now: shiftAt(schedule, at), next };
}

type Following = Parameters<typeof followingShifts>[0];

/** Of each schedule the shift that begins next, if one does within a year. */
export async function followingOf(
  { compute }: OncallParts,
  call: Call,
  following: Following,
): Promise<readonly (Shift | null)[]> {
  const { schedules, after } = following;
  if (isCheap(schedules, searchedAfter(after))) return followingShifts(following);
  return compute(taskRequester(call), 'nextShifts', following);
}

/** The people of these shifts. */
export const peopleOf = (
  sql: OncallParts['sql'],
  { caller }: Call,
  shifts: readonly (Shift | null)[],
) =>
  readPeople(
    sql,
    caller.organizationId,
    shifts.flatMap((shift) => (shift === null ? [] : [shift.user_id])),
  );
