// Who is on call across schedules, and what one person is on call for.
import { queryLimits } from '../../limits/queries.ts';
import { isCheap, shiftStepsOf } from '../../oncall/effort.ts';
import { scheduleAsOf } from '../../oncall/revisions/history.ts';
import type { Interval, Schedule, Shift } from '../../oncall/schedule.ts';
import { shiftAt } from '../../oncall/shifts.ts';
import { id, optional } from '../../resources/declaration/field.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import type { Queries } from '../../storage/database/database.ts';
import { readSchedulesAround } from '../../storage/oncall/around.ts';
import {
  listSchedules,
  type ScheduleIdsQuery,
  type ScheduleWithHistory,
} from '../../storage/oncall/schedules.ts';
import { findUser } from '../../storage/people/users.ts';
import { timeText } from '../../storage/records/rows.ts';
import { taskRequester } from '../computing/computer.ts';
import { idIn, orNotFound } from '../people/writing.ts';
import {
  inTeams,
  pageOf,
  paging,
  readListing,
  readQuery,
  teamsParameter,
} from '../records/list-query.ts';
import { type Call, ok, type Route } from '../route.ts';
import { shiftsOfPerson } from './computed-shifts.ts';
import { type OncallParts, timeParam } from './params.ts';
import {
  type People,
  renderSchedule,
  renderShift,
  renderUser,
  renderWholeShift,
} from './render.ts';
import { nowListShape, userOnCallShape } from './shapes.ts';
import { atOf, followingOf, peopleOf } from './shifts.ts';

/** Schedules of one person that are read at once. */
const BATCH = 200;
/** How far ahead a person's shifts are listed. */
const AHEAD = { hours: 60 * 24 } as const;

const at = optional(timeParam('The time to look up. Default: now.'));
const listQuery = {
  at,
  user_id: optional(id('Returns only schedules for which this person is on call at that time.')),
};
const userQuery = { at };

export const whoRoutes = (parts: OncallParts): readonly Route[] => [
  {
    method: 'GET',
    path: '/on-calls/now',
    tag: oncallSchedule.table,
    role: 'viewer',
    doc: 'Returns who is on call for each active schedule, by counter, including schedules with nobody on call.',
    query: { ...paging, team_id: teamsParameter, ...listQuery },
    answers: { status: 200, schema: nowListShape },
    handle: async (call) => ok(await listNow(parts, call)),
  },
  {
    method: 'GET',
    path: '/users/:id/on-call',
    tag: 'users',
    role: 'viewer',
    doc: `Lists a person’s current shifts and those of the next 60 days, at most ${queryLimits.shiftsAheadOfPerson}.`,
    query: userQuery,
    answers: { status: 200, schema: userOnCallShape },
    handle: async (call) => ok(await onCallOf(parts, call)),
  },
];

type OnCallSchedule = {
  readonly counter: number;
  readonly known: ScheduleWithHistory;
  readonly schedule: Schedule;
  readonly now: Shift | null;
};

async function listNow(parts: OncallParts, call: Call) {
  const { sql } = parts;
  const params = readQuery(listQuery, call);
  const instant = atOf(params, call);
  const { limit, after } = readListing(oncallSchedule, call.query);
  const naming = params.user_id ?? null;
  const onCall: OnCallSchedule[] = [];
  const query = { scope: inTeams(call.caller, call), naming, after, limit: limit + 1 };
  for await (const schedules of batches(sql, query, instant)) {
    const most = shiftStepsOf(schedules.length);
    const states = schedules.map((each) => onCallAt(each, instant, most));
    onCall.push(...states.filter(({ now }) => naming === null || now?.user_id === naming));
    if (onCall.length > limit) break;
  }
  const { page, next_cursor } = pageOf(onCall, limit);
  const schedules = page.map(({ schedule }) => schedule);
  const following = await followingOf(parts, call, { schedules, after: instant });
  const rows = page.map((each, index) => ({ ...each, next: following[index] ?? null }));
  const people = await peopleOf(
    sql,
    call,
    rows.flatMap(({ now, next }) => [now, next]),
  );
  return { data: rows.map((row) => renderRow(row, people)), next_cursor };
}

function onCallAt(
  known: ScheduleWithHistory,
  instant: Temporal.Instant,
  most: number,
): OnCallSchedule {
  const schedule = scheduleAsOf(known.history);
  return { counter: known.counter, known, schedule, now: shiftAt(schedule, instant, most) };
}

/** Active schedules by counter, each with the history around an instant. */
async function* batches(
  sql: Queries,
  query: ScheduleIdsQuery,
  instant: Temporal.Instant,
): AsyncGenerator<readonly ScheduleWithHistory[]> {
  const { organizationId } = query.scope;
  let { after } = query;
  for (;;) {
    const schedules = await listSchedules(sql, { ...query, after }, (ids) =>
      readSchedulesAround(sql, { organizationId, ids }, instant),
    );
    yield schedules;
    const last = schedules.at(-1);
    if (last === undefined || schedules.length < query.limit) return;
    after = last.counter;
  }
}

type Row = OnCallSchedule & { readonly next: Shift | null };

function renderRow({ known, now, next }: Row, people: People) {
  return {
    ...renderSchedule(known),
    user: now && renderUser(now.user_id, people),
    layer: now?.layer ?? null,
    start: now && timeText(now.start),
    end: now && timeText(now.end),
    next: renderWholeShift(next, people),
  };
}

async function onCallOf(parts: OncallParts, call: Call) {
  const { sql } = parts;
  const { organizationId } = call.caller;
  const user = orNotFound(await findUser(sql, organizationId, idIn(call)));
  const instant = atOf(readQuery(userQuery, call), call);
  const query = { scope: call.caller, naming: user.id, after: 0, limit: BATCH };
  const shifts: OfSchedule[] = [];
  const interval = { from: instant, to: instant.add(AHEAD) };
  for await (const schedules of batches(sql, query, instant))
    shifts.push(...(await shiftsOf(parts, call, { userId: user.id, schedules, interval })));
  const isRunning = ({ shift }: OfSchedule) => Temporal.Instant.compare(shift.start, instant) <= 0;
  const [now, next] = [shifts.filter(isRunning), shifts.filter((each) => !isRunning(each))];
  const soonest = next.toSorted((one, other) =>
    Temporal.Instant.compare(one.shift.start, other.shift.start),
  );
  return {
    at: timeText(instant),
    now: now.map(renderShiftOfSchedule),
    next: soonest.slice(0, queryLimits.shiftsAheadOfPerson).map(renderShiftOfSchedule),
  };
}

type OfSchedule = { readonly known: ScheduleWithHistory; readonly shift: Shift };

type OfPerson = {
  readonly userId: string;
  readonly schedules: readonly ScheduleWithHistory[];
  readonly interval: Interval;
};

/** One person's shifts in an interval. */
async function shiftsOf(
  { compute }: OncallParts,
  call: Call,
  { userId, schedules: known, interval }: OfPerson,
): Promise<readonly OfSchedule[]> {
  const schedules = known.map(({ history }) => scheduleAsOf(history));
  const params = { userId, schedules, interval };
  const shiftsBySchedule = isCheap(schedules, interval)
    ? shiftsOfPerson(params)
    : await compute(taskRequester(call), 'personShifts', params);
  return known.flatMap((each, index) =>
    (shiftsBySchedule[index] ?? []).map((shift) => ({ known: each, shift })),
  );
}

function renderShiftOfSchedule({ known, shift }: OfSchedule) {
  const { layer, start, end } = renderShift(shift);
  return { ...renderSchedule(known), layer, start, end };
}
