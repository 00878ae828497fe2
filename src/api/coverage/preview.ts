// POST /on-calls/preview: the shifts of a schedule that is not saved.
import type { Static } from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import { listOf, objectOf, optional } from '../../resources/declaration/field.ts';
import { checkReadable, type Problem } from '../../resources/declaration/resource.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { overrideInput, overrideProblems } from '../../resources/override.ts';
import { readPeople } from '../../storage/oncall/people.ts';
import { JsonText, taskRequester } from '../computing/computer.ts';
import { invalid } from '../failures.ts';
import { instantAt, intervalOf, type OncallParts, timeParam } from '../oncall/params.ts';
import { previewShape } from '../oncall/shapes.ts';
import { type Call, ok, type Route } from '../route.ts';

const { layers, timezone } = oncallSchedule.fields;
const body = objectOf({
  layers,
  timezone,
  overrides: optional(
    listOf(overrideInput, {
      doc: 'The overrides of the schedule, oldest first; where two overlap, the newest wins.',
      min: 0,
      max: queryLimits.overrides,
    }),
  ),
  created_at: optional(
    timeParam('The instant at which the schedule is assumed to be created; now by default.'),
  ),
  from: timeParam('The start of the interval, included.'),
  to: timeParam('The end of the interval, excluded; at most 2 years after from.'),
});
export type PreviewRequest = Static<typeof body> & { readonly timezone: string };

export const previewRoute = ({ sql, compute }: OncallParts): Route => ({
  method: 'POST',
  path: '/on-calls/preview',
  tag: oncallSchedule.table,
  role: 'viewer',
  writesNothing: true,
  doc: 'Computes the shifts and gaps that a schedule would have; nothing is saved.',
  body,
  answers: { status: 200, schema: previewShape },
  async handle(call) {
    const request = readPreviewRequest(call);
    const interval = intervalOf(request, call.now);
    const from = createdAt(request, call);
    const people = await readPeople(sql, call.caller.organizationId, usersOf(request));
    const input = { schedule: request, from, interval, people };
    return ok(new JsonText(await compute(taskRequester(call), 'preview', input)));
  },
});

const usersOf = ({ layers: declared, overrides = [] }: PreviewRequest): readonly string[] => [
  ...declared.flatMap(({ users }) => users.filter((id) => id !== null)),
  ...overrides.map(({ user_id }) => user_id),
];

const createdAt = ({ created_at }: Partial<PreviewRequest>, { now }: Call): Temporal.Instant =>
  created_at === undefined ? now : instantAt('created_at', created_at);

/** Checked by the rules of a save, all problems at once; people need not exist yet. */
function readPreviewRequest(call: Call): PreviewRequest {
  const read = readObject(body, call.body);
  // readObject leaves only what has the shape, with the default of timezone.
  const request = (read.ok ? read.value : read.readable) as PreviewRequest;
  const problems = [
    ...(read.ok ? [] : read.problems),
    ...checkReadable(oncallSchedule, request),
    ...problemsOfOverrides(request, call),
  ];
  if (problems.length > 0) throw invalid(problems);
  return request;
}

function problemsOfOverrides(request: Partial<PreviewRequest>, call: Call): readonly Problem[] {
  const created = createdAt(request, call);
  return (request.overrides ?? []).flatMap((each, index) =>
    overrideProblems(each, created).map(({ path, message }) => ({
      path: `overrides[${index}].${path}`,
      message,
    })),
  );
}
