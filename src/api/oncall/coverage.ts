// GET /on-calls/:id/coverage: every instant of the years ahead is computed, none is sampled.
import { queryLimits } from '../../limits/queries.ts';
import { isCheap, yearsAfter } from '../../oncall/effort.ts';
import { scheduleAsOf } from '../../oncall/revisions/history.ts';
import { usersOf } from '../../oncall/schedule.ts';
import { optional, wholeNumber } from '../../resources/declaration/field.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import type { Queries } from '../../storage/database/database.ts';
import { readPeople } from '../../storage/oncall/people.ts';
import { readSchedules } from '../../storage/oncall/schedules.ts';
import { warningsOfYears, YEARS } from '../../what-if/coverage.ts';
import { type Compute, JsonText, taskRequester } from '../computing/computer.ts';
import { Refusal } from '../failures.ts';
import { readQuery } from '../records/list-query.ts';
import { ok, type Route } from '../route.ts';
import { coverageOfYears } from './coverage-task.ts';
import { type OncallParts, scheduleAround, timeParam } from './params.ts';
import { coverageShape } from './shapes.ts';

const query = {
  years: optional(
    wholeNumber({
      doc: `The number of years to check, from 1 to ${queryLimits.coverageYears}. Default: ${YEARS}.`,
      min: 1,
      max: queryLimits.coverageYears,
    }),
  ),
  from: optional(timeParam('The start of the period. Default: now.')),
};

export const coverageRoute = ({ sql, compute }: OncallParts): Route => ({
  method: 'GET',
  path: '/on-calls/:id/coverage',
  tag: oncallSchedule.table,
  role: 'viewer',
  doc: 'Returns the times when nobody is on call for a schedule. A turn of an inactive user is a gap if the layers below have nobody.',
  query,
  answers: { status: 200, schema: coverageShape },
  async handle(call) {
    const { years = YEARS, from: fromText } = readQuery(query, call);
    const from = fromText === undefined ? call.now : Temporal.Instant.from(fromText);
    const schedule = scheduleAsOf((await scheduleAround(sql, call, from)).history);
    const { organizationId } = call.caller;
    const people = await readPeople(sql, organizationId, usersOf(schedule));
    const input = { schedule, from, years, people, now: call.now };
    if (isCheap([schedule], { from, to: yearsAfter(from, years) }))
      return ok(coverageOfYears(input));
    return ok(new JsonText(await compute(taskRequester(call), 'coverage', input)));
  },
});

type Saved = {
  readonly organizationId: string;
  readonly id: string;
  readonly now: Temporal.Instant;
};

/** The gaps of the years ahead, as warnings for whoever saved the schedule. */
export async function coverageWarnings(
  { sql, compute }: { readonly sql: Queries; readonly compute: Compute },
  { organizationId, id, now }: Saved,
): Promise<readonly string[]> {
  const known = (await readSchedules(sql, { organizationId, ids: [id], since: now })).get(id);
  if (known === undefined) return [];
  const schedule = scheduleAsOf(known.history);
  // A save may take effect a little later than it was requested.
  const start = schedule.revisions.at(-1)?.from ?? now;
  const from = Temporal.Instant.compare(start, now) > 0 ? start : now;
  const people = await readPeople(sql, organizationId, usersOf(schedule));
  // Counted per schedule, so that saving many does not use up the caller's computations.
  const requester = { organizationId, caller: `schedule:${id}` };
  const input = { schedule, from, years: YEARS, people };
  if (isCheap([schedule], { from, to: yearsAfter(from, YEARS) })) return warningsOfYears(input);
  return compute(requester, 'coverageWarnings', input).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    return [
      'The schedule was not checked for gaps because the server is busy with other computations.',
    ];
  });
}
