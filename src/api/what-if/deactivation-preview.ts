// POST /preview of a person who is to be deactivated: whom it leaves alone, and when.
import { queryLimits } from '../../limits/queries.ts';
import { escalationPolicy, type Target } from '../../resources/escalation-policy.ts';
import type { ShiftIntent } from '../../shifts/notice.ts';
import type { Queries } from '../../storage/database/database.ts';
import { listScheduleIds } from '../../storage/oncall/schedules.ts';
import { findUser } from '../../storage/people/users.ts';
import { usesOfPerson } from '../../storage/people/uses.ts';
import { type ChangeEffects, none } from '../../what-if/change-preview.ts';
import {
  type DeactivationEffects,
  sidesOfDeactivation,
  sidesOfNaming,
} from '../../what-if/deactivation.ts';
import { notifiedWarnings } from '../../what-if/notified.ts';
import { type RunTask, taskRequester } from '../computing/computer.ts';
import { invalid } from '../failures.ts';
import { inoperativeTarget } from '../records/escalation-policy.ts';
import { useWarnings } from '../records/rendering.ts';
import { type Call, maySee } from '../route.ts';
import { type ChangePreviewRequest, deactivatedBy } from './change-preview-request.ts';
import { usesLeft } from './change-preview-uses.ts';
import { noticesOf } from './notices-at-once.ts';
import { pagingPartOf } from './paging-part-of.ts';
import type { PreviewReads } from './preview-reads.ts';
import { readSavedSide } from './saved-side.ts';

export type DeactivationParts = {
  readonly sql: Queries;
  readonly reads: PreviewReads;
  readonly compute: RunTask;
};

export type DeactivationPreview = {
  readonly schedules: readonly {
    readonly effects: DeactivationEffects;
    readonly notices: readonly ShiftIntent[];
  }[];
  readonly warnings: DeactivationEffects['warnings'];
  /** Of the policies, rules and playbooks that name the person. */
  readonly naming: ChangeEffects;
  readonly uses: Awaited<ReturnType<typeof usesOfPerson>>;
};

/** Of the first schedules that name the person, in order of their counters. */
export async function previewDeactivation(
  parts: DeactivationParts,
  call: Call,
  request: ChangePreviewRequest,
): Promise<DeactivationPreview> {
  const { sql } = parts;
  const { caller, now } = call;
  const { organizationId } = caller;
  const { path, archived } = request.record;
  const id = request.record.id ?? '';
  const person = await findUser(sql, organizationId, id);
  if (person === null) throw invalid([{ path: `${path}.id`, message: 'does not match any user' }]);
  if (!archived || !person.active) return { schedules: [], warnings: [], naming: none, uses: [] };
  const schedules = await schedulesAfter(parts, call, request);
  const managedBy = request.managedBy ?? call.managedBy;
  const all = await usesOfPerson(sql, { organizationId, id, now });
  const uses = usesLeft(all, request, { used: { kind: 'user', id }, managedBy });
  const naming = await namingAfter(parts, call, { request, uses: all });
  const used = useWarnings(uses, caller, 'this person').map(
    (message) => ({ code: 'still_used', path: null, message }) as const,
  );
  const own = schedules.flatMap(({ effects }) => effects.warnings);
  const notified = notifiedWarnings(schedules.flatMap(({ notices }) => notices));
  const warnings = [...own, ...naming.warnings, ...notified, ...used];
  const visible = uses.filter(({ teamId }) => maySee(caller, teamId));
  return { schedules, warnings, naming, uses: visible };
}

type Naming = {
  readonly request: ChangePreviewRequest;
  readonly uses: DeactivationPreview['uses'];
};

async function namingAfter(
  parts: DeactivationParts,
  call: Call,
  { request, uses }: Naming,
): Promise<ChangeEffects> {
  const { reads } = parts;
  const { caller } = call;
  const planned = request.planned.flatMap((one) => pagingPartOf(one) ?? []);
  const isArchived = (id: string) => planned.some((one) => one.id === id && one.archived);
  const policies = uses.filter(
    ({ kind, id, teamId }) =>
      kind === escalationPolicy.name && maySee(caller, teamId) && !isArchived(id),
  );
  const capabilities = await reads.capabilities();
  const areNew = capabilities.isUpgrading !== true;
  const [saved, rulePlaces] = await Promise.all([
    readSavedSide(reads, call, {
      scheduleIds: planned.flatMap((one) => one.id ?? []),
      deactivated: deactivatedBy(request.planned),
      isManaged: (request.managedBy ?? call.managedBy) !== null,
      areNew,
    }),
    reads.rulePlaces(),
  ]);
  const inoperative = (target: Target) => inoperativeTarget(target, capabilities);
  const sides = sidesOfNaming(
    { userId: request.record.id ?? '', planned, areNew },
    { ...saved, inoperative, policies, rulePlaces },
  );
  return sides === null ? none : parts.compute(taskRequester(call), 'changePreview', sides);
}

async function schedulesAfter(
  parts: DeactivationParts,
  call: Call,
  request: ChangePreviewRequest,
): Promise<DeactivationPreview['schedules']> {
  const { sql, reads } = parts;
  const { caller, now } = call;
  const userId = request.record.id ?? '';
  // By the rules of the previous release, nobody comes in the place of whoever is inactive.
  if (!(await reads.newRulesApply())) return [];
  const naming = { scope: caller, naming: userId, namingSince: now, after: 0 };
  const listed = await listScheduleIds(sql, { ...naming, limit: queryLimits.previewItems });
  if (listed.length === 0) return [];
  const scheduleIds = listed.map((one) => one.id);
  const planned = request.planned.flatMap((one) => pagingPartOf(one) ?? []);
  const plannedIds = planned.flatMap((one) => one.id ?? []);
  const [saved, recorded] = await Promise.all([
    readSavedSide(reads, call, {
      scheduleIds: [...scheduleIds, ...plannedIds],
      deactivated: deactivatedBy(request.planned),
      isManaged: (request.managedBy ?? call.managedBy) !== null,
      areNew: true,
    }),
    reads.shiftCursors(scheduleIds),
  ]);
  const sides = sidesOfDeactivation(
    { userId, scheduleIds, planned, recorded },
    { ...saved, inoperative: () => [], policies: [] },
  );
  if (sides.length === 0) return [];
  const effects = await parts.compute(taskRequester(call), 'deactivation', sides);
  const rotas = new Map(sides.map(({ rota }) => [rota?.id, rota]));
  return effects.map((one) => ({
    effects: one,
    // Whoever is deactivated is not notified any more.
    notices: noticesOf(one.advance, rotas.get(one.scheduleId) ?? null, saved.configuration).filter(
      ({ user_id }) => user_id !== userId,
    ),
  }));
}
