// What a save or an archiving would change for people. Nothing is saved.
import { queryLimits } from '../../limits/queries.ts';
import { eachReference } from '../../resources/declaration/references-and-secrets.ts';
import { displayName, located, type Problem } from '../../resources/declaration/resource.ts';
import { escalationPolicy } from '../../resources/escalation-policy.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { override } from '../../resources/override.ts';
import { mayAct } from '../../resources/roles.ts';
import { user } from '../../resources/user.ts';
import type { ShiftIntent } from '../../shifts/notice.ts';
import type { Sql } from '../../storage/database/database.ts';
import type { ReferencedRecord, Use } from '../../storage/records/record-hooks.ts';
import type { Records } from '../../storage/records/records.ts';
import { type StoredRecord, timeText } from '../../storage/records/rows.ts';
import { type Lookup, usesOf } from '../../storage/records/uses.ts';
import {
  type ChangeEffects,
  none,
  type PreviewWarning,
  type ScheduleEffects,
} from '../../what-if/change-preview.ts';
import { sidesOf } from '../../what-if/change-sides.ts';
import { notifiedWarnings } from '../../what-if/notified.ts';
import { messageOf, type PageChange } from '../../what-if/paging-changes.ts';
import { type RunTask, taskRequester } from '../computing/computer.ts';
import type { LossParts } from '../connections/lost-channels.ts';
import { invalid, Refusal } from '../failures.ts';
import { actOf } from '../people/writing.ts';
import { inoperativeTarget } from '../records/escalation-policy.ts';
import type { Capabilities } from '../records/record-hooks.ts';
import { useWarnings } from '../records/rendering.ts';
import { review } from '../records/review.ts';
import { teamOf } from '../records/write.ts';
import { type Call, maySee } from '../route.ts';
import {
  type ChangePreviewRequest,
  type ConnectionPreviewRequest,
  deactivatedBy,
  leastRoleFor,
  type Proposed,
  readChangePreview,
} from './change-preview-request.ts';
import { usesAfter } from './change-preview-uses.ts';
import { previewConnection } from './connection-preview.ts';
import { previewDeactivation } from './deactivation-preview.ts';
import { noticesOf, renderIntent } from './notices-at-once.ts';
import { previewOverrideChange } from './override-change-preview.ts';
import { pagingPartOf } from './paging-part-of.ts';
import type { PreviewReads } from './preview-reads.ts';
import { readSavedSide } from './saved-side.ts';

export type ChangePreviewParts = Pick<LossParts, 'hasMailServer'> & {
  readonly sql: Sql;
  readonly records: Records;
  readonly reads: PreviewReads;
  readonly compute: RunTask;
};

/** Throws a `Refusal` with all that is wrong with the body of the call. */
export async function previewChange(parts: ChangePreviewParts, call: Call) {
  if (!mayAct(call.caller, leastRoleFor(call.body))) throw new Refusal('forbidden');
  const request = readChangePreview(call);
  if ('connection' in request) return ofConnection(parts, call, request);
  if (request.record.resource === user) return ofPerson(parts, call, request);
  if (request.record.resource === override) return ofOverride(parts, call, request);
  return ofRecord(parts, call, request);
}

async function ofRecord(parts: ChangePreviewParts, call: Call, request: ChangePreviewRequest) {
  const capabilities = await parts.reads.capabilities();
  const before = await check(parts, call, { request, capabilities });
  const { effects, notices } = await effectsFor(parts, call, { request, capabilities });
  const uses = await usesOfArchived(parts, call, { request, before });
  const used = useWarnings(uses, call.caller).map(
    (message): PreviewWarning => ({ code: 'still_used', path: null, message }),
  );
  const visible = uses.filter(({ teamId }) => maySee(call.caller, teamId));
  const warnings = [...effects.warnings, ...notifiedWarnings(notices), ...used];
  return answerOf({ ...effects, warnings }, notices, visible.map(renderUse));
}

const renderUse = ({ kind, id, name, managedBy }: Use) => ({
  kind,
  id,
  name,
  ...(managedBy !== null && { managed_by: managedBy }),
});

async function ofConnection(
  parts: ChangePreviewParts,
  call: Call,
  request: ConnectionPreviewRequest,
) {
  await checkPlanned(parts, call, request.planned);
  const { effects, warnings, uses } = await previewConnection(parts, call, request);
  return answerOf({ ...effects, warnings }, [], uses.map(renderUse));
}

async function checkPlanned(
  { reads: { lookup } }: ChangePreviewParts,
  call: Call,
  planned: readonly Proposed[],
): Promise<void> {
  const loose = await problemsOfLoose(planned, call, lookup);
  if (loose.length > 0) throw invalid(loose);
}

/** A person who is to be deactivated may be on call in several schedules. */
async function ofPerson(parts: ChangePreviewParts, call: Call, request: ChangePreviewRequest) {
  await checkPlanned(parts, call, request.planned);
  const { schedules, warnings, naming, uses } = await previewDeactivation(parts, call, request);
  return {
    ...answerOf({ ...naming, warnings }, [], uses.map(renderUse)),
    schedules: schedules.map(({ effects, notices }) => ({
      oncall_schedule_id: effects.scheduleId,
      name: effects.name,
      ...scheduleAnswerOf(effects, notices),
    })),
  };
}

async function ofOverride(parts: ChangePreviewParts, call: Call, request: ChangePreviewRequest) {
  await checkPlanned(parts, call, request.planned);
  const { warnings, movedShifts, notices } = await previewOverrideChange(parts, call, request);
  const effects = {
    ...none,
    warnings: [...warnings, ...notifiedWarnings(notices)],
    movedShifts: movedShifts.slice(0, queryLimits.previewItems),
    movedShiftsCount: movedShifts.length,
  };
  return answerOf(effects, notices, []);
}

type Change = {
  readonly request: ChangePreviewRequest;
  readonly capabilities: Capabilities;
};

/** By the rules of a save; answers the stored record. */
async function check(
  parts: ChangePreviewParts,
  call: Call,
  { request: { record, planned }, capabilities }: Change,
): Promise<StoredRecord | undefined> {
  const { records, reads } = parts;
  const { lookup } = reads;
  // Within which team the references of the record must be is not known either.
  const isOfSomeTeam = record.id === null && record.mayBe('team_id');
  const loose = isOfSomeTeam ? [...planned, record] : planned;
  const problems = await problemsOfLoose(loose, call, lookup);
  if (problems.length > 0) throw invalid(problems);
  if (isOfSomeTeam) return undefined;
  const { id, resource, written, archived, path } = record;
  const before = id === null ? undefined : await records.read(resource, id, actOf(call));
  if (id !== null && before === undefined) throw invalid([namesNothing(record)]);
  if (archived) return before;
  if (before !== undefined && before.archived_at !== null) throw new Refusal('archived');
  const teamId = before?.team_id ?? teamOf(call, written, await reads.teams());
  const proposal = { resource, before, teamId, written, now: call.now };
  await review(proposal, lookup, capabilities).catch((error) => {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, { issues: located(path, error.issues) });
  });
  return before;
}

const namesNothing = ({ path, resource }: Pick<Proposed, 'path' | 'resource'>): Problem => ({
  path: `${path}.id`,
  message: `does not match any ${displayName(resource.name)}`,
});

/** They, and what they refer to, must exist; all else is checked where it is known. */
async function problemsOfLoose(
  loose: readonly Proposed[],
  { caller }: Call,
  lookup: Lookup,
): Promise<readonly Problem[]> {
  const wanted = new Map<string, Set<string>>();
  const want = (kind: string, id: string) =>
    wanted.set(kind, (wanted.get(kind) ?? new Set()).add(id));
  for (const { id, resource, written } of loose) {
    if (id !== null) want(resource.name, id);
    eachReference(resource.input, written.fields, ({ to, id: other }) => want(to, other));
  }
  const known = new Map<string, ReadonlyMap<string, ReferencedRecord>>();
  for (const [kind, ids] of wanted) known.set(kind, await lookup(kind, [...ids]));
  return loose.flatMap((one) => {
    const { id, path, resource, written } = one;
    const problems: Problem[] = [];
    const own = id === null ? undefined : known.get(resource.name)?.get(id);
    if (id !== null && (own === undefined || !maySee(caller, own.teamId)))
      problems.push(namesNothing(one));
    eachReference(resource.input, written.fields, ({ to, id: other }, leaf) => {
      if (known.get(to)?.has(other)) return;
      const message = `does not match any ${displayName(to)} in this organization`;
      problems.push({ path: `${path}.${leaf.path}`, message });
    });
    return problems;
  });
}

async function effectsFor(
  parts: ChangePreviewParts,
  call: Call,
  { request, capabilities }: Change,
): Promise<{ readonly effects: ChangeEffects; readonly notices: readonly ShiftIntent[] }> {
  const record = pagingPartOf(await withTeam(parts, call, request.record));
  if (record === null) return { effects: none, notices: [] };
  const planned = request.planned.flatMap((one) => pagingPartOf(one) ?? []);
  const schedules = [record, ...planned].filter(({ kind }) => kind === 'schedule');
  const ids = schedules.flatMap(({ id }) => id ?? []);
  const { reads } = parts;
  const own = record.kind === 'schedule' && record.id !== null ? [record.id] : [];
  const isRouted = [record, ...planned].some(({ kind }) => kind !== 'schedule');
  const [saved, cursors, policies, rulePlaces] = await Promise.all([
    readSavedSide(reads, call, {
      scheduleIds: ids,
      deactivated: deactivatedBy(request.planned),
      isManaged: (request.managedBy ?? call.managedBy) !== null,
      areNew: capabilities.isUpgrading !== true,
    }),
    reads.shiftCursors(own),
    policiesUsing(parts.sql, call, request.record),
    isRouted ? reads.rulePlaces() : undefined,
  ]);
  const sides = sidesOf(
    { record, planned },
    {
      ...saved,
      recorded: cursors.get(record.id ?? '') ?? null,
      inoperative: (target) => inoperativeTarget(target, capabilities),
      policies,
      ...(rulePlaces && { rulePlaces }),
    },
  );
  if (sides === null) return { effects: none, notices: [] };
  const effects = await parts.compute(taskRequester(call), 'changePreview', sides);
  return { effects, notices: noticesOf(effects.advance, sides.rota, saved.configuration) };
}

/** A new record without a team gets that of the key, or the default one. */
async function withTeam(parts: ChangePreviewParts, call: Call, record: Proposed) {
  const { id, written, mayBe } = record;
  if (id !== null || written.teamId !== null || mayBe('team_id')) return record;
  const teamId = teamOf(call, written, await parts.reads.teams());
  return { ...record, written: { ...written, teamId } };
}

const answerOf = (
  effects: ChangeEffects,
  notices: readonly ShiftIntent[],
  usedBy: readonly object[],
) => ({
  warnings: effects.warnings,
  ...scheduleAnswerOf(effects, notices),
  unreachable_steps: effects.unreachableSteps.map(
    ({ policy, step, reason, message, from, to }) => ({
      escalation_policy: {
        id: policy.id,
        name: policy.name,
        ...(policy.managedBy && { managed_by: policy.managedBy }),
      },
      step: step + 1,
      reason,
      message,
      from: timeText(from),
      to: to && timeText(to),
    }),
  ),
  unreachable_steps_count: effects.unreachableStepsCount,
  page_changes: effects.pageChanges.map(renderPageChange),
  page_changes_count: effects.pageChangesCount,
  used_by: usedBy,
});

const renderPageChange = (change: PageChange) => ({
  integrations: change.integrations,
  before: renderPaged(change.before),
  after: renderPaged(change.after),
  message: messageOf(change),
});

const renderPaged = ({ first, later }: PageChange['before']) => ({
  first: first.map(({ id, name }) => ({ id, name })),
  later: later.map(({ id, name }) => ({ id, name })),
});

const scheduleAnswerOf = (effects: ScheduleEffects, notices: readonly ShiftIntent[]) => ({
  on_call: effects.onCall && { ...effects.onCall, at: timeText(effects.onCall.at) },
  gaps: effects.gaps.map(withTimes),
  gaps_count: effects.gapsCount,
  gaps_by_design: effects.gapsByDesign.map(withTimes),
  gaps_by_design_count: effects.gapsByDesignCount,
  moved_shifts: effects.movedShifts.map(withTimes),
  moved_shifts_count: effects.movedShiftsCount,
  notices: notices.slice(0, queryLimits.previewItems).map(renderIntent),
  notices_count: notices.length,
});

const withTimes = <Of extends ChangeEffects['gaps'][number]>(one: Of) => ({
  ...one,
  from: timeText(one.from),
  to: one.to && timeText(one.to),
});

/** The active policies of the caller's teams that use the schedule. */
async function policiesUsing(
  sql: ChangePreviewParts['sql'],
  { caller }: Call,
  { resource, id }: Proposed,
): Promise<readonly Use[]> {
  if (id === null || resource.name !== oncallSchedule.name) return [];
  const { organizationId } = caller;
  const uses = await usesOf(sql, { organizationId, kind: resource.name, id });
  return uses.filter(
    ({ kind, teamId }) => kind === escalationPolicy.name && maySee(caller, teamId),
  );
}

type Archiving = {
  readonly request: ChangePreviewRequest;
  readonly before: StoredRecord | undefined;
};

async function usesOfArchived(
  { sql }: ChangePreviewParts,
  { caller: { organizationId }, managedBy }: Call,
  { request, before }: Archiving,
): Promise<readonly Use[]> {
  if (!request.record.archived || before === undefined) return [];
  const configuration = request.managedBy ?? managedBy;
  return usesAfter(sql, request, { organizationId, before, managedBy: configuration });
}
