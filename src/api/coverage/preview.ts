// The shifts of a schedule that is not saved.
import type { Static } from 'typebox';
import { editLayers } from '../../oncall/revisions/edits.ts';
import type { Schedule } from '../../oncall/schedule.ts';
import { shiftsIn } from '../../oncall/shifts.ts';
import { listOf, objectOf, optional } from '../../resources/declaration/field.ts';
import { type Problem, rulesOn } from '../../resources/declaration/resource.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { overrideInput, overrideProblems, overrideTime } from '../../resources/override.ts';
import type { Sql } from '../../storage/database.ts';
import { invalid } from '../failures.ts';
import { checkEffort, instantAt, intervalOf, time } from '../oncall/asked.ts';
import { previewShape } from '../oncall/shapes.ts';
import { bounded } from '../oncall/shifts.ts';
import { shiftShown } from '../oncall/shown.ts';
import { type Call, ok, type Route } from '../route.ts';
import { cover, firstGaps } from './coverage.ts';

const OVERRIDES_MAX = 1_000;

const { layers, timezone } = oncallSchedule.fields;
const body = objectOf({
  layers,
  timezone,
  overrides: optional(
    listOf(overrideInput, { doc: 'Oldest first: the newest wins.', min: 0, max: OVERRIDES_MAX }),
  ),
  created_at: optional(time('As if it were made then; now when absent.')),
  from: time('Included.'),
  to: time('Excluded; at most 2 years after from.'),
});
type Asked = Static<typeof body> & { readonly timezone: string };

export const previewRoute = (sql: Sql): Route => ({
  method: 'POST',
  path: '/on-calls/preview',
  tag: oncallSchedule.table,
  role: 'viewer',
  writesNothing: true,
  doc: 'The shifts that a schedule would have, and its gaps; nothing is saved.',
  body,
  answers: { status: 200, schema: previewShape },
  async handle(call) {
    const asked = readAsked(call);
    const interval = intervalOf(asked, call.now);
    const schedule = scheduleOf(asked, createdAt(asked, call));
    checkEffort(schedule, interval);
    const shifts = bounded(shiftsIn(schedule, interval));
    const { organizationId } = call.caller;
    const { gaps, people } = await cover(sql, organizationId, { schedule, interval });
    const covered = gaps.length === 0;
    const coverage = { covered, gap_count: gaps.length, gaps: firstGaps(gaps, people) };
    return ok({ data: shifts.map(shiftShown), coverage });
  },
});

const createdAt = ({ created_at }: Partial<Asked>, { now }: Call): Temporal.Instant =>
  created_at === undefined ? now : instantAt('created_at', created_at);

/** Held to the rules of a save, all at once; people need not exist yet. */
function readAsked(call: Call): Asked {
  const read = readObject(body, call.body);
  // What the reader lets through has the shape, and the default of timezone.
  const asked = (read.ok ? read.value : read.readable) as Asked;
  const problems = [
    ...(read.ok ? [] : read.problems),
    ...rulesOn(oncallSchedule, asked),
    ...problemsOfOverrides(asked, call),
  ];
  if (problems.length > 0) throw invalid(problems);
  return asked;
}

function problemsOfOverrides(asked: Partial<Asked>, call: Call): readonly Problem[] {
  const created = createdAt(asked, call);
  return (asked.overrides ?? []).flatMap((each, index) =>
    overrideProblems(each, created).map(({ path, message }) => ({
      path: `overrides[${index}].${path}`,
      message,
    })),
  );
}

function scheduleOf(
  { timezone: zone, layers: declared, overrides = [] }: Asked,
  from: Temporal.Instant,
): Schedule {
  const ids = declared.keys();
  const edited = editLayers({
    before: null,
    after: { timezone: zone, layers: declared },
    now: from,
    nextId: () => String(ids.next().value),
  });
  return {
    revisions: [{ from, archived: false, timezone: zone, layers: edited }],
    overrides: overrides.map(({ comment: _comment, ...each }, index) => ({
      ...each,
      id: String(index),
      start: overrideTime(each.start),
      end: overrideTime(each.end),
    })),
  };
}
