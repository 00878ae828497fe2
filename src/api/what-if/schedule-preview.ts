// POST /on-calls/preview: the shifts of a schedule that is not saved.
import { usersOf } from '../../oncall/schedule.ts';
import { checkReadable, type Problem } from '../../resources/declaration/resource.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { newFieldsOf, oncallSchedule, problemsAt } from '../../resources/oncall-schedule.ts';
import { overrideProblems } from '../../resources/override.ts';
import { inactiveAmong } from '../../storage/oncall/activity.ts';
import { readPeople } from '../../storage/oncall/people.ts';
import { JsonText, taskRequester } from '../computing/computer.ts';
import { invalid } from '../failures.ts';
import { intervalOf, type OncallParts } from '../oncall/params.ts';
import { previewShape } from '../oncall/shapes.ts';
import { refuseBeforeUpgrade } from '../oncall/upgrade-gate.ts';
import { type Call, ok, type Route } from '../route.ts';
import { type PreviewRequest, previewBody } from './schedule-preview-request.ts';

export const previewRoute = ({ sql, compute }: OncallParts): Route => ({
  method: 'POST',
  path: '/on-calls/preview',
  tag: oncallSchedule.table,
  role: 'viewer',
  writesNothing: true,
  computes: 'preview',
  doc: 'Computes the shifts and gaps of a proposed schedule. Nothing is saved.',
  body: previewBody,
  answers: { status: 200, schema: previewShape },
  async handle(call) {
    const request = readPreviewRequest(call);
    await refuseBeforeUpgrade(sql, [...newFieldsOf(request), ...nobodyIn(request)]);
    const interval = intervalOf(request, call.now);
    const from = createdAt(request, call);
    const people = await readPeople(sql, call.caller.organizationId, usersIn(request));
    const inactive = await inactiveAmong(sql, people);
    const input = { schedule: request, from, interval, people, inactive };
    return ok(new JsonText(await compute(taskRequester(call), 'preview', input)));
  },
});

/** The paths of overrides with nobody. */
const nobodyIn = ({ overrides = [] }: PreviewRequest): readonly string[] =>
  overrides.flatMap(({ user_id }, index) =>
    user_id === null ? [`overrides[${index}].user_id`] : [],
  );

const usersIn = (request: PreviewRequest): readonly string[] =>
  usersOf({ revisions: [request], overrides: request.overrides ?? [] });

const createdAt = ({ created_at }: Partial<PreviewRequest>, { now }: Call): Temporal.Instant =>
  created_at === undefined ? now : Temporal.Instant.from(created_at);

/** Checked by the rules of a save, all problems at once; people need not exist yet. */
function readPreviewRequest(call: Call): PreviewRequest {
  const read = readObject(previewBody, call.body);
  // readObject leaves only what has the shape, with the default of timezone.
  const request = (read.ok ? read.value : read.readable) as PreviewRequest;
  const problems = [
    ...(read.ok ? [] : read.problems),
    ...checkReadable(oncallSchedule, request),
    ...problemsOfOverrides(request, call),
  ];
  // What has no right shape has no right time either.
  const all = problems.length > 0 ? problems : problemsAt(request, createdAt(request, call));
  if (all.length > 0) throw invalid(all);
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
