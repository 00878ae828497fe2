// Who is on call when: of all schedules over one interval, and of one schedule with its layers.
import { queryLimits } from '../../limits/queries.ts';
import { areCheapShifts, stepsIn } from '../../oncall/effort.ts';
import { scheduleAsOf } from '../../oncall/revisions/history.ts';
import { type Interval, type Schedule, usersOf } from '../../oncall/schedule.ts';
import { optional } from '../../resources/declaration/field.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { readWholeSchedules } from '../../storage/oncall/around.ts';
import { readPeople } from '../../storage/oncall/people.ts';
import { listSchedules, type ScheduleWithHistory } from '../../storage/oncall/schedules.ts';
import { timeText } from '../../storage/records/rows.ts';
import { taskRequester } from '../computing/computer.ts';
import { invalid } from '../failures.ts';
import {
  inTeams,
  pageOf,
  paging,
  readListing,
  readQuery,
  teamsParameter,
} from '../records/list-query.ts';
import { type Call, ok, type Route } from '../route.ts';
import { checkEffort } from './effort.ts';
import { intervalOf, type OncallParts, scheduleAround, timeParam } from './params.ts';
import { renderSchedule } from './render.ts';
import { timelineShape, timelinesShape } from './shapes.ts';
import { namesOf, timelineOfSchedule, timelines } from './timeline-task.ts';

const tag = oncallSchedule.table;
const from = optional(timeParam('The start of the interval. Default: now.'));
const toOf = (most: string) =>
  optional(
    timeParam(`The end of the interval, at most ${most} after from. Default: 14 days after from.`),
  );
const listQuery = { from, to: toOf(`${queryLimits.timelineDays} days`) };
const scheduleQuery = { from, to: toOf('2 years') };

export const timelineRoutes = (parts: OncallParts): readonly Route[] => [
  {
    method: 'GET',
    path: '/on-calls/timeline',
    tag,
    role: 'viewer',
    doc: 'Lists the shifts and gaps of each active schedule, by counter. A page may contain fewer entries than limit and still have a next_cursor: the list continues there.',
    query: { ...paging, team_id: teamsParameter, ...listQuery },
    answers: { status: 200, schema: timelinesShape },
    handle: async (call) => ok(await listTimelines(parts, call)),
  },
  {
    method: 'GET',
    path: '/on-calls/:id/timeline',
    tag,
    role: 'viewer',
    doc: 'Returns the shifts and gaps of a schedule, and the shifts of each layer and override. The past is shown as it was.',
    query: scheduleQuery,
    answers: { status: 200, schema: timelineShape },
    handle: async (call) => ok(await readTimeline(parts, call)),
  },
];

type Known = ScheduleWithHistory & { readonly schedule: Schedule };

async function listTimelines({ sql, compute }: OncallParts, call: Call) {
  const interval = listInterval(call);
  const { limit, after } = readListing(oncallSchedule, call.query);
  const { organizationId } = call.caller;
  const listing = { scope: inTeams(call.caller, call), naming: null, after, limit: limit + 1 };
  const known = await listSchedules(sql, listing, (ids) =>
    readWholeSchedules(sql, { organizationId, ids }, interval.from),
  );
  const listed = known.map((one) => ({ ...one, schedule: scheduleAsOf(one.history) }));
  const { page, next_cursor } = pageOf(listed, Math.min(limit, affordable(listed, interval)));
  const schedules = page.map(({ schedule }) => schedule);
  const people = await readPeople(sql, organizationId, schedules.flatMap(peopleOf));
  const input = { schedules, interval, now: call.now, people };
  const computed = areCheapShifts(schedules, interval)
    ? timelines(input)
    : await compute(taskRequester(call), 'scheduleTimelines', input);
  return {
    ...spanText(interval),
    data: page.map((one, index) => ({ ...renderZoned(one), ...computed[index] })),
    names: namesOf(people),
    next_cursor,
  };
}

async function readTimeline({ sql, compute }: OncallParts, call: Call) {
  const interval = intervalOf(readQuery(scheduleQuery, call), call.now);
  const known = await scheduleAround(sql, call, interval.from);
  const schedule = scheduleAsOf(known.history);
  const people = await readPeople(sql, call.caller.organizationId, peopleOf(schedule));
  const input = { schedule, interval, now: call.now, people };
  // Each layer is walked alone, and all of them together.
  const computed = areCheapShifts([schedule, schedule], interval)
    ? timelineOfSchedule(input)
    : await compute(taskRequester(call), 'scheduleTimeline', input);
  const { archived } = known;
  return {
    ...renderZoned(known),
    archived,
    ...spanText(interval),
    ...computed,
    names: namesOf(people),
  };
}

function listInterval(call: Call): Interval {
  const interval = intervalOf(readQuery(listQuery, call), call.now);
  const days = queryLimits.timelineDays;
  if (interval.to.since(interval.from).total('hours') <= days * 24) return interval;
  throw invalid([{ path: 'to', message: `must be at most ${days} days after from` }]);
}

/** How many of them one page has: at least one, which then is not too much by itself. */
function affordable(listed: readonly Known[], interval: Interval): number {
  let changes = 0;
  const first = listed.findIndex(({ schedule }) => {
    changes += stepsIn(schedule, interval);
    return changes > queryLimits.timelineChanges;
  });
  const [one] = listed;
  if (first === 0 && one) checkEffort(one.schedule, interval);
  return first < 0 ? listed.length : Math.max(1, first);
}

const peopleOf = (schedule: Schedule): readonly string[] => [
  ...usersOf(schedule),
  ...schedule.overrides.flatMap(({ replaces_user_id }) => replaces_user_id ?? []),
];

const spanText = (interval: Interval) => ({
  from: timeText(interval.from),
  to: timeText(interval.to),
});

const renderZoned = (schedule: ScheduleWithHistory) => ({
  ...renderSchedule(schedule),
  timezone: schedule.timezone,
});
