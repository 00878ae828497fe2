// Creating and updating records: a body is read, reviewed, stored, and answered with warnings.
import type { Resource } from '../../resources/declaration/resource.ts';
import type { Act } from '../../storage/organizations/audit.ts';
import type { ActiveTeam } from '../../storage/people/teams.ts';
import type { Change, RecordRefusal, Records } from '../../storage/records/records.ts';
import type { StoredRecord } from '../../storage/records/rows.ts';
import { invalid, notFound, Refusal } from '../failures.ts';
import { actOf } from '../people/writing.ts';
import { type Answer, type Call, ok } from '../route.ts';
import { type AsRead, type ParsedBody, readBody } from './body.ts';
import { hooksOf } from './hooks.ts';
import type { Capabilities, RecordEffects } from './record-hooks.ts';
import { type RenderRecord, withWarnings } from './rendering.ts';
import { review } from './review.ts';

export type WriteParts = RecordEffects & {
  readonly records: Records;
  /** The active teams that a caller may touch. */
  readonly teams: (
    scope: Pick<Act, 'organizationId' | 'teamIds'>,
  ) => Promise<readonly ActiveTeam[]>;
  readonly capabilitiesOf: (organizationId: string) => Promise<Capabilities>;
  readonly render: RenderRecord;
};

const keyOf = (call: Call): string => call.params['id'] ?? '';

export const changeOf = (call: Call): Change => ({
  key: keyOf(call),
  act: actOf(call),
  expectedVersion: call.version,
});

export async function create(parts: WriteParts, resource: Resource, call: Call): Promise<Answer> {
  const written = readBody(resource, call.body, call.asRead);
  const act = actOf(call);
  const teamId = teamOf(call, written, await parts.teams(act));
  const capabilities = await parts.capabilitiesOf(act.organizationId);
  let warnings: readonly string[] = [];
  const record = await parts.records.create(resource, act, async (lookup) => {
    const proposal = { resource, before: undefined, teamId, written, now: call.now };
    warnings = await review(proposal, lookup, capabilities);
    const { complete } = hooksOf(resource);
    const fields = complete?.(written.fields) ?? written.fields;
    return { teamId, fields, managedBy: call.managedBy };
  });
  return ok(await answerSaved(parts, resource, { call, record, warnings }), 201);
}

/** The answer to a creation whose first answer was lost, without its warnings. */
export async function createdAgain(
  { records, render }: WriteParts,
  resource: Resource,
  { call, id }: { readonly call: Call; readonly id: string },
): Promise<Answer> {
  const record = await records.read(resource, id, actOf(call));
  if (record === undefined) throw notFound();
  return ok(render(resource, record, call.caller), 201);
}

/** The body's team, else the header's, the key's, the only one, the default one. */
export function teamOf(
  { caller, teamId }: Call,
  written: Pick<ParsedBody, 'teamId' | 'problems'>,
  teams: readonly ActiveTeam[],
): string {
  const wanted = written.teamId ?? teamId ?? caller.defaultTeamId;
  const fallback = teams.length === 1 ? teams[0] : teams.find(({ isDefault }) => isDefault);
  const chosen = wanted === null ? fallback : teams.find(({ id }) => id === wanted);
  if (chosen !== undefined) return chosen.id;
  if (written.problems.length > 0) throw invalid(written.problems);
  if (wanted === null) throw new Refusal('team_required');
  throw new Refusal('not_found', { message: 'The team was not found.' });
}

type UpdateBody = {
  readonly call: Call;
  readonly body: (before: StoredRecord) => unknown;
  /** Whether nobody manages it any more, unless the call says who does. */
  readonly isReleased?: boolean;
};

export async function update(
  parts: WriteParts,
  resource: Resource,
  { call, body, isReleased }: UpdateBody,
): Promise<Answer> {
  let warnings: readonly string[] = [];
  const { managedBy } = call;
  const capabilities = await parts.capabilitiesOf(call.caller.organizationId);
  const change = { ...changeOf(call), ...((managedBy || isReleased) && { managedBy }) };
  const result = await parts.records.update(resource, change, async (lookup, before) => {
    const written = readBody(resource, body(before), asReadOf(call, before));
    const { team_id: teamId } = before;
    const proposal = { resource, before, teamId, written, now: call.now };
    warnings = await review(proposal, lookup, capabilities);
    const { keep, complete } = hooksOf(resource);
    const fields = managedBy && keep ? keep(written.fields, before) : written.fields;
    return complete?.(fields) ?? fields;
  });
  return ok(await answerSaved(parts, resource, { call, record: unwrap(result), warnings }));
}

/** Stored lists were read when they were sent: a patch of the name does not read them again. */
const asReadOf = ({ asRead }: Call, { fields }: StoredRecord): AsRead =>
  new Set([...(asRead ?? []), ...Object.values(fields).filter(Array.isArray)]);

type SaveResult = {
  readonly call: Call;
  readonly record: StoredRecord;
  readonly warnings: readonly string[];
};

/** The answer to a write: the record and its warnings. */
async function answerSaved(
  parts: WriteParts,
  resource: Resource,
  { call, record, warnings }: SaveResult,
) {
  const { caller, now } = call;
  const { committed, warn } = hooksOf(resource);
  committed?.(parts);
  const { organizationId } = caller;
  const { id, fields } = record;
  const more = (await warn?.(parts, { organizationId, id, fields, now })) ?? [];
  return withWarnings(parts.render(resource, record, caller), [...warnings, ...more]);
}

export async function readOne(
  records: Records,
  resource: Resource,
  call: Call,
): Promise<StoredRecord> {
  const record = await records.read(resource, keyOf(call), actOf(call));
  if (record === undefined) throw notFound();
  return record;
}

/** The result of a write that was not refused. */
export function unwrap<Result>(result: Result | RecordRefusal): Result {
  if (typeof result === 'string') throw new Refusal(result as RecordRefusal);
  return result as Result;
}
