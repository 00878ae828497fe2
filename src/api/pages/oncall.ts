// The page that a schedule's link leads to until there is a dashboard: who is on call, and when.
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../engine/clock.ts';
import { escaped } from '../../notices/words/html.ts';
import { scheduleAsOf } from '../../oncall/revisions/history.ts';
import type { Shift } from '../../oncall/schedule.ts';
import { clockIn } from '../../resources/declaration/time-zone.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import type { Sql } from '../../storage/database.ts';
import { readSchedulesAround } from '../../storage/oncall/around.ts';
import { readPeople } from '../../storage/oncall/people.ts';
import type { ScheduleWithHistory } from '../../storage/oncall/schedules.ts';
import { find } from '../../storage/records/queries.ts';
import type { Requester } from '../../workers/task-queue.ts';
import { usersOf } from '../coverage/coverage.ts';
import { causeOf, nameOf } from '../coverage/wording.ts';
import { Refusal } from '../failures.ts';
import { pageOfShifts, searchedAfter } from '../oncall/computed-shifts.ts';
import { isCheap } from '../oncall/effort.ts';
import type { OncallParts } from '../oncall/oncall-parts.ts';
import type { People } from '../oncall/render.ts';
import type { Accounts } from '../sign-in/accounts.ts';
import { signInPath } from '../sign-in/return-path.ts';
import { htmlPage } from './page.ts';

type PageParts = OncallParts & { readonly accounts: Accounts; readonly clock: Clock };

const AHEAD = { hours: 14 * 24 } as const;

export function mountOncallPage(app: FastifyInstance, parts: PageParts): void {
  const { sql, accounts, clock } = parts;
  app.get('/on-calls/:id', async (request, reply) => {
    const session = await accounts.session(request.headers.cookie, { refresh: false });
    if (session === null) return reply.redirect(signInPath(request.url), 303);
    const { organization_id: organizationId, id: personId } = session.person;
    const requester = { organizationId, caller: `session:${personId}` };
    const { id: key } = request.params as { id: string };
    const now = clock.now();
    const known = await read(sql, { organizationId, key, now });
    return htmlPage(reply, {
      title: known.name,
      body: `<h1>${escaped(known.name)}</h1>${await bodyOf(parts, { requester, known, now })}`,
      width: 'text',
    });
  });
}

type ScheduleQuery = {
  readonly organizationId: string;
  readonly key: string;
  readonly now: Temporal.Instant;
};

async function read(
  sql: Sql,
  { organizationId, key, now }: ScheduleQuery,
): Promise<ScheduleWithHistory> {
  const scope = { organizationId, teamIds: null };
  const row = await find(sql, oncallSchedule, { key, scope });
  const ids = row === undefined ? [] : [row['id'] as string];
  const [known] = (await readSchedulesAround(sql, { organizationId, ids }, now)).values();
  if (known === undefined) throw new Refusal('not_found');
  return known;
}

type SchedulePage = {
  readonly requester: Requester;
  readonly known: ScheduleWithHistory;
  readonly now: Temporal.Instant;
};

async function bodyOf({ sql, compute }: PageParts, page: SchedulePage): Promise<string> {
  const { requester, known, now } = page;
  const { timezone, archived } = known;
  const schedule = scheduleAsOf(known.history);
  const interval = { from: now, to: now.add(AHEAD) };
  const people = await readPeople(sql, requester.organizationId, usersOf(schedule));
  const input = { schedule, interval, people };
  const {
    rows,
    gaps,
    now: running,
    next,
  } = isCheap([schedule], searchedAfter(now))
    ? pageOfShifts(input)
    : await compute(requester, 'page', input);
  const context = { people, at: (instant: Temporal.Instant) => localTime(instant, timezone) };
  const holes = gaps.map((gap) => {
    const end = gap.end.equals(interval.to) ? 'later' : context.at(gap.end);
    return `<li>${context.at(gap.start)} – ${end}: ${escaped(causeOf(gap, people))}</li>`;
  });
  return `${archived ? '<p><strong>This schedule is archived.</strong></p>' : ''}
<p>${nowText(running, context)}</p>
<p>${nextText(next, context)}</p>
<h2>The next 14 days</h2>
<table><thead><tr><th>From</th><th>To</th><th>Who</th></tr></thead>
<tbody>${rows.map((shift) => rowOf(shift, context)).join('')}</tbody></table>
<p>Times are of ${escaped(timezone)}.</p>
<h2>Gaps</h2>
${holes.length === 0 ? '<p>None in these days.</p>' : `<ul>${holes.join('')}</ul>`}`;
}

type TextContext = { readonly people: People; readonly at: (instant: Temporal.Instant) => string };

const nowText = (shift: Shift | null, { people, at }: TextContext) =>
  shift === null
    ? 'Nobody is on call now.'
    : `<strong>${escaped(nameOf(shift.user_id, people))}</strong> is on call until ${at(shift.end)}.`;

const nextText = (shift: Shift | null, { people, at }: TextContext) =>
  shift === null
    ? 'Nobody comes next within a year.'
    : `Next is ${escaped(nameOf(shift.user_id, people))}, from ${at(shift.start)}.`;

const rowOf = ({ start, end, user_id }: Shift, { people, at }: TextContext) =>
  `<tr><td>${at(start)}</td><td>${at(end)}</td><td>${escaped(nameOf(user_id, people))}</td></tr>`;

/** On the wall clock of the schedule, its offset included where an hour comes twice. */
function localTime(instant: Temporal.Instant, timezone: string): string {
  const local = clockIn(timezone, instant);
  const date = local.toPlainDate();
  const day = date.toLocaleString('en-GB', { weekday: 'short' });
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' });
  return `<time datetime="${instant}">${day} ${date} ${time} ${local.offset}</time>`;
}
