// Making and changing records: what is sent is read, judged, stored, and answered with warnings.
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import type { Resource } from '../../resources/resource.ts';
import type { Act } from '../../storage/audit.ts';
import type { StoredRecord } from '../../storage/record-rows.ts';
import type { Change, RecordRefusal, Records } from '../../storage/records.ts';
import type { ActiveTeam } from '../../storage/teams.ts';
import { Refusal } from '../failures.ts';
import { actOf } from '../people/writing.ts';
import { type Answer, type Call, ok } from '../route.ts';
import { type Shower, withWarnings } from './shown.ts';
import { type Knowledge, readBody, review } from './written.ts';

export type WriteParts = Knowledge & {
  readonly records: Records;
  /** The active teams that a caller may touch. */
  readonly teams: (
    scope: Pick<Act, 'organizationId' | 'teamIds'>,
  ) => Promise<readonly ActiveTeam[]>;
  /** What whoever saved a schedule should know of it. */
  readonly scheduleWarnings: (saved: SavedSchedule) => Promise<readonly string[]>;
  readonly show: Shower;
};

export type SavedSchedule = {
  readonly organizationId: string;
  readonly id: string;
  readonly now: Temporal.Instant;
};

export const keyOf = (call: Call): string => call.params['id'] ?? '';

export const changeOf = (call: Call): Change => ({
  key: keyOf(call),
  act: actOf(call),
  expectedVersion: call.version,
});

export async function create(parts: WriteParts, resource: Resource, call: Call): Promise<Answer> {
  const { teamId: namedTeamId, fields } = readBody(resource, call.body);
  const act = actOf(call);
  const teamId = teamOf(call, namedTeamId, await parts.teams(act));
  let warnings: readonly string[] = [];
  const record = await parts.records.create(resource, act, async (look) => {
    const proposal = { resource, before: undefined, teamId, namedTeamId, fields };
    warnings = await review(proposal, look, parts);
    return { teamId, fields };
  });
  return ok(await saved(parts, resource, { call, record, warnings }), 201);
}

/** The body's team, else the header's, the key's, the only one, the default one. */
function teamOf({ caller, teamId }: Call, named: string | null, teams: readonly ActiveTeam[]) {
  const wanted = named ?? teamId ?? caller.defaultTeamId;
  if (wanted !== null) {
    if (teams.some(({ id }) => id === wanted)) return wanted;
    throw new Refusal('not_found', { message: 'There is no such team.' });
  }
  const chosen = teams.length === 1 ? teams[0] : teams.find(({ isDefault }) => isDefault);
  if (chosen === undefined) throw new Refusal('team_required');
  return chosen.id;
}

type Changing = { readonly call: Call; readonly body: (before: StoredRecord) => unknown };

export async function update(
  parts: WriteParts,
  resource: Resource,
  { call, body }: Changing,
): Promise<Answer> {
  let warnings: readonly string[] = [];
  const result = await parts.records.update(resource, changeOf(call), async (look, before) => {
    const { teamId: namedTeamId, fields } = readBody(resource, body(before));
    const proposal = { resource, before, teamId: before.team_id, namedTeamId, fields };
    warnings = await review(proposal, look, parts);
    return fields;
  });
  return ok(await saved(parts, resource, { call, record: done(result), warnings }));
}

type Saved = {
  readonly call: Call;
  readonly record: StoredRecord;
  readonly warnings: readonly string[];
};

/** What a write answers: the record, and what should be known of it. */
async function saved(parts: WriteParts, resource: Resource, { call, record, warnings }: Saved) {
  const { caller, now } = call;
  const more =
    resource.name === oncallSchedule.name
      ? await parts.scheduleWarnings({ organizationId: caller.organizationId, id: record.id, now })
      : [];
  return withWarnings(parts.show(resource, record, caller), [...warnings, ...more]);
}

/** The result of a write that was not refused. */
export function done<Result>(result: Result | RecordRefusal): Result {
  if (typeof result === 'string') throw new Refusal(result as RecordRefusal);
  return result as Result;
}
