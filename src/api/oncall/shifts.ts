// Who is on call of one schedule: all its shifts in an interval, and the one that runs.
import { nextShift } from '../../oncall/next-shift.ts';
import { scheduleAsOf } from '../../oncall/revisions/history.ts';
import type { Interval, Schedule, Shift } from '../../oncall/schedule.ts';
import { layerShiftsIn, shiftAt, shiftsIn } from '../../oncall/shifts.ts';
import { optional, wholeNumber } from '../../resources/declaration/field.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import type { Queries, Sql } from '../../storage/database.ts';
import { readSchedulesAround } from '../../storage/oncall/around.ts';
import { readPeople } from '../../storage/oncall/people.ts';
import { timeText } from '../../storage/records/rows.ts';
import { invalid, notFound } from '../failures.ts';
import { readQuery } from '../records/listing.ts';
import { type Call, ok, type Route } from '../route.ts';
import { checkEffort, instantAt, intervalOf, scheduleId, scheduleSince, time } from './asked.ts';
import { nowShape, shiftsShape } from './shapes.ts';
import { shiftShown, wholeShown } from './shown.ts';

/** In one answer. */
const SHIFTS_MAX = 20_000;
/** How far the next shift is looked for. */
const SEARCH = { hours: 366 * 24 } as const;

const tag = oncallSchedule.table;

const shiftsQuery = {
  from: optional(time('Included; now when absent.')),
  to: optional(time('Excluded; 14 days after from when absent, at most 2 years.')),
  layer: optional(
    wholeNumber({ doc: 'The index of one layer: its shifts alone.', min: 0, max: 99 }),
  ),
};
const nowQuery = { at: optional(time('Of which instant; now when absent.')) };

export const shiftRoutes = (sql: Sql): readonly Route[] => [
  {
    method: 'GET',
    path: '/on-calls/:id/shifts',
    tag,
    role: 'viewer',
    doc: `The shifts of an interval, cut to it, past or to come; at most ${SHIFTS_MAX} at once.`,
    query: shiftsQuery,
    answers: { status: 200, schema: shiftsShape },
    async handle(call) {
      const { layer, ...span } = readQuery(shiftsQuery, call);
      const interval = intervalOf(span, call.now);
      const known = await scheduleSince(sql, call, interval.from);
      const schedule = scheduleAsOf(known.history);
      checkEffort(schedule, interval);
      const shifts =
        layer === undefined
          ? shiftsIn(schedule, interval)
          : layerShiftsIn(schedule, interval, layer);
      return ok({ data: bounded(shifts).map(shiftShown) });
    },
  },
  {
    method: 'GET',
    path: '/on-calls/:id/now',
    tag,
    role: 'viewer',
    doc: 'Who is on call, and who is next; the next shift is looked for within a year.',
    query: nowQuery,
    answers: { status: 200, schema: nowShape },
    async handle(call) {
      const at = atOf(readQuery(nowQuery, call), call);
      const { now, next } = await nowAndNext(sql, call, at);
      const people = await peopleOf(sql, call, [now, next]);
      const [running, coming] = [now, next].map((shift) => wholeShown(shift, people));
      return ok({ at: timeText(at), now: running, next: coming });
    },
  },
];

/** Refuses more shifts than one answer holds. */
export function bounded(shifts: readonly Shift[]): readonly Shift[] {
  const first = shifts[SHIFTS_MAX];
  if (first === undefined) return shifts;
  const until = timeText(first.start);
  const message = `there are more than ${SHIFTS_MAX} shifts: ask until ${until}, then from there`;
  throw invalid([{ path: 'to', message }]);
}

export const atOf = ({ at }: { readonly at?: string }, { now }: Call) =>
  at === undefined ? now : instantAt('at', at);

async function nowAndNext(sql: Queries, call: Call, at: Temporal.Instant) {
  const id = await scheduleId(sql, call);
  const { organizationId } = call.caller;
  const known = (await readSchedulesAround(sql, { organizationId, ids: [id] }, at)).get(id);
  if (known === undefined) throw notFound();
  const schedule = scheduleAsOf(known.history);
  return { now: shiftAt(schedule, at), next: followingShift(schedule, at) };
}

/** The shift that begins next after an instant, if one does within a year. */
export const followingShift = (schedule: Schedule, after: Temporal.Instant) =>
  nextShift(schedule, { from: after, to: after.add(SEARCH) });

/** The shifts of an interval from their start to their end. */
export const wholeShiftsIn = (schedule: Schedule, interval: Interval): readonly Shift[] =>
  shiftsIn(schedule, interval).flatMap(({ start }) => shiftAt(schedule, start) ?? []);

/** The people of these shifts. */
export const peopleOf = (sql: Queries, { caller }: Call, shifts: readonly (Shift | null)[]) =>
  readPeople(
    sql,
    caller.organizationId,
    shifts.flatMap((shift) => (shift === null ? [] : [shift.user_id])),
  );
