// Overrides of a schedule: one person on call instead of another. Writes of the schedule keep them.
import Type, { type Static } from 'typebox';
import type { Ids } from '../../engine/ids.ts';
import { noWake, type Wake } from '../../engine/wake.ts';
import { queryLimits } from '../../limits/queries.ts';
import { id, listOf, objectOf } from '../../resources/declaration/field.ts';
import { isObject } from '../../resources/declaration/is-object.ts';
import { located, type Problem } from '../../resources/declaration/resource.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import {
  type OverrideFields,
  override,
  overrideInput,
  overrideProblems,
} from '../../resources/override.ts';
import type { Queries, Sql } from '../../storage/database/database.ts';
import { pageOf } from '../../storage/database/page.ts';
import {
  type CurrentOverride,
  changeOverride,
  createOverrides,
  deleteOverride,
  listOverrides,
  type OverrideRefusal,
  readCreatedOverrides,
  readOverride,
} from '../../storage/oncall/overrides.ts';
import type { Lookup } from '../../storage/records/uses.ts';
import { pageSchema } from '../answers.ts';
import { invalid, Refusal } from '../failures.ts';
import { readFlag, readPage } from '../people/listing.ts';
import { actOf, checkVersion, idIn, orNotFound, route } from '../people/writing.ts';
import { mergePatch } from '../records/body.ts';
import { flagParameter, paging } from '../records/list-query.ts';
import { type Call, ok, type Route } from '../route.ts';
import { scheduleId } from './params.ts';
import { refuseBeforeUpgrade } from './upgrade-gate.ts';

export type OverrideParts = {
  readonly sql: Sql;
  readonly ids: Ids;
  /** Called after a commit, with what it may have made due. */
  readonly committed: (wake: Wake) => void;
};

const tag = oncallSchedule.table;
const answers = { status: 200, schema: override.output };
const made = { status: 201, schema: override.output };
const listed = { status: 200, schema: pageSchema(override.output) };
const removed = {
  status: 200,
  schema: objectOf({ id: id('The id of the removed override.') }),
};
const body = overrideInput;
/** Each is like the body of one. */
export const overridesInput = objectOf({
  overrides: listOf(overrideInput, {
    doc: 'The overrides. If they overlap, the last one applies.',
    max: queryLimits.overridesAtOnce,
  }),
});
type OverridesFields = Static<typeof overridesInput>;
const severalMade = {
  status: 201,
  schema: objectOf({
    data: Type.Array(override.output, { description: 'The overrides, in the same order.' }),
  }),
};

export function overrideRoutes(parts: OverrideParts): readonly Route[] {
  return [
    route('GET /on-calls/:id/overrides', 'viewer', {
      tag,
      doc: 'Lists the overrides of a schedule, oldest first.',
      answers: listed,
      query: {
        ...paging,
        all: flagParameter(
          'true includes overrides that have ended. Otherwise, only current and future overrides are returned.',
        ),
      },
      handle: async (call) => ok(await list(parts, call)),
    }),
    route('POST /on-calls/:id/overrides', 'responder', {
      tag,
      doc: 'Creates an override, which puts a person on call for a time. With `user_id` null, it takes the person in `replaces_user_id` off call. If overrides overlap, the newest applies.',
      body,
      answers: made,
      ignored: readOnly,
      handle: (call) => create(parts, call),
      again: async (call, override_id) =>
        ok(await read(parts, { ...call, params: { ...call.params, override_id } }), 201),
    }),
    route('POST /on-calls/:id/overrides/batch', 'responder', {
      tag,
      doc: 'Creates several overrides of a schedule, such as those of a vacation. If one of them is invalid, none is created.',
      body: overridesInput,
      answers: severalMade,
      handle: (call) => createSeveral(parts, call),
      again: (call, first) => severalAgain(parts, call, first),
    }),
    route('GET /on-calls/:id/overrides/:override_id', 'viewer', {
      tag,
      doc: 'Returns an override.',
      answers,
      handle: async (call) => ok(await read(parts, call)),
    }),
    route('PUT /on-calls/:id/overrides/:override_id', 'responder', {
      tag,
      doc: 'Replaces an override. The part in the past does not change.',
      body,
      answers,
      ignored: readOnly,
      takesVersion: true,
      handle: (call) => change(parts, call, () => call.body),
    }),
    route('PATCH /on-calls/:id/overrides/:override_id', 'responder', {
      tag,
      doc: 'Updates fields of an override (RFC 7396). `user_id` null is a value, and removes nothing.',
      answers,
      body,
      ignored: readOnly,
      takesVersion: true,
      handle: (call) => change(parts, call, (before) => patched(before, call.body)),
    }),
    route('DELETE /on-calls/:id/overrides/:override_id', 'responder', {
      tag,
      doc: 'Removes an override. A current override ends now, and its past is kept.',
      answers: removed,
      takesVersion: true,
      handle: (call) => remove(parts, call),
    }),
  ];
}

async function list({ sql }: OverrideParts, call: Call) {
  const { organizationId, after, limit } = readPage(call);
  const of = { organizationId, scheduleId: await scheduleId(sql, call) };
  const endingAfter = readFlag(call, 'all') ? null : call.now;
  return pageOf(await listOverrides(sql, { ...of, endingAfter, after, limit: limit + 1 }), limit);
}

async function read({ sql }: OverrideParts, call: Call) {
  const { organizationId } = call.caller;
  const of = { organizationId, scheduleId: await scheduleId(sql, call) };
  return orNotFound(await readOverride(sql, of, idIn(call, 'override_id')));
}

async function create(parts: OverrideParts, call: Call) {
  await refuseNobodyBeforeUpgrade(parts.sql, call.body);
  const decide = async (lookup: Lookup) => [
    await reviewOverride(call.body, { lookup, before: null, now: call.now }),
  ];
  const [made] = commit(parts, await createOverrides(parts, { ...target(call), decide }));
  return ok(made, 201);
}

async function createSeveral(parts: OverrideParts, call: Call) {
  await refuseNobodyBeforeUpgrade(parts.sql, call.body);
  const decide = (lookup: Lookup) => reviewOverrides(call.body, { lookup, now: call.now });
  const data = commit(parts, await createOverrides(parts, { ...target(call), decide }));
  return ok({ data }, 201);
}

async function severalAgain({ sql }: OverrideParts, call: Call, first: string) {
  const { organizationId } = call.caller;
  const of = { organizationId, scheduleId: await scheduleId(sql, call) };
  // It is the request that created them, and has as many.
  const { length: count } = (call.body as OverridesFields).overrides;
  return ok({ data: await readCreatedOverrides(sql, of, { first, count }) }, 201);
}

type Body = (before: CurrentOverride) => unknown;

async function change(parts: OverrideParts, call: Call, bodyOf: Body) {
  const id = idIn(call, 'override_id');
  await refuseNobodyBeforeUpgrade(parts.sql, call.body);
  const decide = (lookup: Lookup, before: CurrentOverride) => {
    checkVersion(call, before);
    return reviewOverride(bodyOf(before), { lookup, before, now: call.now });
  };
  return ok(commit(parts, await changeOverride(parts, { ...target(call), id, decide })));
}

/** Null has a meaning of its own in `user_id`, where a patch would remove it. */
function patched(before: CurrentOverride, patch: unknown): unknown {
  const merged = mergePatch(before, patch);
  const isNobody = isObject(patch) && patch['user_id'] === null;
  return isNobody && isObject(merged) ? { ...merged, user_id: null } : merged;
}

/** A server of the previous release does not know overrides with nobody. */
export const refuseNobodyBeforeUpgrade = (sql: Queries, sent: unknown): Promise<void> =>
  refuseBeforeUpgrade(sql, nobodyPaths(sent));

/** Of one override, or of several. */
function nobodyPaths(sent: unknown): readonly string[] {
  if (!isObject(sent)) return [];
  if (sent['user_id'] === null) return ['user_id'];
  const { overrides } = sent;
  if (!Array.isArray(overrides)) return [];
  return overrides.flatMap((one, index) =>
    nobodyPaths(one).map((path) => `${pathOf(index)}.${path}`),
  );
}

const pathOf = (index: number): string => `overrides[${index}]`;

async function remove(parts: OverrideParts, call: Call) {
  const id = idIn(call, 'override_id');
  const check = (before: CurrentOverride) => checkVersion(call, before);
  commit(parts, await deleteOverride(parts, { ...target(call), id, check }));
  return ok({ id });
}

const target = (call: Call) => ({ act: actOf(call), schedule: call.params['id'] ?? '' });

function commit<Result extends CurrentOverride | readonly CurrentOverride[]>(
  { committed }: OverrideParts,
  result: Result | OverrideRefusal,
): Result {
  if (typeof result === 'string') throw overrideRefusal(result);
  committed({ ...noWake, shifts: true });
  return result;
}

export function overrideRefusal(reason: OverrideRefusal): Refusal {
  switch (reason) {
    case 'not_found':
    case 'archived':
      return new Refusal(reason);
    case 'ended':
      return new Refusal('conflict', { message: 'The override has ended and cannot be changed.' });
    case 'too_many':
      return new Refusal('conflict', {
        message: `The schedule would have more than ${queryLimits.overrides} current and future overrides, the maximum. Remove some first.`,
      });
  }
}

type Reviewing = {
  readonly lookup: Lookup;
  readonly before: CurrentOverride | null;
  readonly now: Temporal.Instant;
};

const readOnly = ['id', 'version', 'oncall_schedule_id', 'created_at', 'updated_at'];

/** Refuses with all mistakes at once; without one, answers the fields. */
export async function reviewOverride(
  sent: unknown,
  { lookup, before, now }: Reviewing,
): Promise<OverrideFields> {
  const read = readObject(overrideInput, sent, { ignored: readOnly });
  // What the reader lets through is held to the schema.
  const fields = (read.ok ? read.value : read.readable) as OverrideFields;
  const people = await lookup('user', peopleIn([fields]));
  const problems = [
    ...(read.ok ? [] : read.problems),
    ...problemsIn(fields, { people, before, now }),
  ];
  if (problems.length > 0) throw invalid(problems);
  return fields;
}

/** The same for several that are new. */
export async function reviewOverrides(
  sent: unknown,
  { lookup, now }: Omit<Reviewing, 'before'>,
): Promise<readonly OverrideFields[]> {
  const read = readObject(overridesInput, sent);
  // The same; what it does not let through is absent.
  const { overrides = [] } = (read.ok ? read.value : read.readable) as Partial<OverridesFields>;
  const people = await lookup('user', peopleIn(overrides));
  const problems = [
    ...(read.ok ? [] : read.problems),
    ...overrides.flatMap((fields, index) =>
      located(pathOf(index), problemsIn(fields, { people, before: null, now })),
    ),
  ];
  if (problems.length > 0) throw invalid(problems);
  return overrides;
}

const peopleIn = (all: readonly Partial<OverrideFields>[]): readonly string[] => [
  ...new Set(
    all.flatMap(({ user_id, replaces_user_id }) => [user_id ?? [], replaces_user_id ?? []].flat()),
  ),
];

type Known = Omit<Reviewing, 'lookup'> & { readonly people: Awaited<ReturnType<Lookup>> };

const problemsIn = (fields: Partial<OverrideFields>, { people, before, now }: Known) => [
  ...overrideProblems(fields, now),
  ...unknownPeople(fields, before, people),
];

/** Whoever is replaced may have left already. */
function unknownPeople(
  { user_id, replaces_user_id }: Partial<OverrideFields>,
  before: CurrentOverride | null,
  people: Known['people'],
): readonly Problem[] {
  const problems: Problem[] = [];
  const unknown = 'does not match any user in this organization';
  const isSomebody = user_id !== undefined && user_id !== null;
  if (isSomebody && !people.has(user_id)) problems.push({ path: 'user_id', message: unknown });
  else if (isSomebody && user_id !== before?.user_id && !people.get(user_id)?.active)
    problems.push({ path: 'user_id', message: 'refers to a deactivated user' });
  if (replaces_user_id !== undefined && !people.has(replaces_user_id))
    problems.push({ path: 'replaces_user_id', message: unknown });
  return problems;
}
