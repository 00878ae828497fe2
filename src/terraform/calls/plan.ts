import type { Fields } from '../../client/answer.ts';
import { accessLimits } from '../../limits/access.ts';
import type { Problem, Resource } from '../../resources/declaration/resource.ts';
import { escalationPolicy } from '../../resources/escalation-policy.ts';
import { records } from '../../resources/index.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { user } from '../../resources/user.ts';
import { fieldOf, toJson } from '../convert.ts';
import {
  type Diagnostic,
  errorDiagnostic,
  problemText,
  warningDiagnostic,
} from '../diagnostics.ts';
import { located, type Managed, managedAs, spoken } from '../managed.ts';
import { byId } from '../people.ts';
import type { PlannedChange } from '../planned-before.ts';
import { planRecord } from '../planning/plan.ts';
import { archivedRecord, plannedRecord } from '../planning/planned-record.ts';
import { withTimesAsBefore } from '../planning/reconcile.ts';
import { scheduleWarnings } from '../planning/schedule-warnings.ts';
import type { Previews } from '../previews.ts';
import { encodeValue, Unknown, type Value } from '../protocol/value.ts';
import { isRotated } from '../rotation.ts';
import type { Connection, Session } from '../session.ts';
import { configuredIn, proposedSingleton } from '../singleton.ts';
import { type RequestOf, type ResponseOf, received, sending } from './dynamic-value.ts';
import { failureDiagnostics } from './failures.ts';
import { overwritten, returned } from './overwritten.ts';
import { readPrivateState, writePrivateState } from './private-state.ts';
import { sessionErrors } from './session-only.ts';
import { unconfirmedKey } from './unconfirmed.ts';

export async function planResource(
  { managed, now, connection }: Session,
  request: RequestOf<'PlanResourceChange'>,
): Promise<ResponseOf<'PlanResourceChange'>> {
  const declared = managedAs(managed, request.type_name);
  const prior = received(declared.type, request.prior_state);
  const as = located(declared, prior);
  const config = received(as.type, request.config);
  const priorPrivate = request.prior_private;
  const configured = readPrivateState(priorPrivate).configured ?? [];
  const proposed = withTimesAsBefore(
    as.resource,
    prior,
    received(as.type, request.proposed_new_state),
  );
  const { planned, replacing } = planRecord({
    attributes: as.attributes,
    prior,
    config,
    proposed: as.resource.isSingleton
      ? proposedSingleton(as, { prior, config, proposed, configured })
      : proposed,
    fixed: ['team_id', as.resource.owner ?? '', ...as.parents],
    isOver: as.resource.neverChanges || isOver(as, prior, now()),
    teamId: connection?.teamId ?? new Unknown(),
  });
  const change = { prior, planned, configured, connection, now: now() };
  const isMoved = replacing.includes('team_id');
  const isCreated = replacing.length > 0 || prior === null;
  const errors = [
    ...(isCreated ? await teamErrors(change) : []),
    ...sessionErrors(as, { prior, planned }),
  ];
  return {
    planned_state: sending(as.type, planned),
    requires_replace: replacing.map((name) => ({ steps: [{ attribute_name: name }] })),
    planned_private: (await ending(as, change, priorPrivate)) ?? managing(as, config, priorPrivate),
    diagnostics: errors.length > 0 ? errors : await (isMoved ? replaced : effects)(as, change),
  };
}

/** A singleton is known by what of it is managed. */
function managing({ resource, attributes }: Managed, config: Value, priorPrivate: Uint8Array) {
  if (!resource.isSingleton || config === null) return priorPrivate;
  const configured = configuredIn(attributes, config);
  return writePrivateState({ ...readPrivateState(priorPrivate), configured });
}

const isOver = ({ resource: { endsAt } }: Managed, prior: Value, now: number) =>
  endsAt !== '' && Date.parse(String(fieldOf(prior, endsAt))) <= now;

/**
 * For a record that left the configuration Terraform passes what was kept before the refresh, and
 * keeps that when its archiving fails: the version that a change by hand made would never be known.
 */
async function ending({ resource }: Managed, change: Change, priorPrivate: Uint8Array) {
  const { prior, planned, connection } = change;
  if (planned !== null || connection === null) return undefined;
  const id = String(fieldOf(prior, 'id'));
  if (unconfirmedKey(id) !== undefined) return undefined;
  const read = await connection.records.read(resource, id);
  if (!read.ok) return undefined;
  return writePrivateState({ ...readPrivateState(priorPrivate), version: read.value.version });
}

/** The apply would archive what the record replaces, or create others, before it fails. */
async function teamErrors({ prior, planned, connection }: Change): Promise<Diagnostic[]> {
  const teamId = fieldOf(planned, 'team_id');
  if (typeof teamId !== 'string') return [];
  const active = await connection?.lookups.isActiveTeam(teamId);
  if (active?.ok === true)
    return active.value ? [] : [errorDiagnostic(problemText(noTeam(teamId)))];
  // Nothing is archived for a new record: its plan needs no server.
  if (active === undefined || prior === null) return [];
  return failureDiagnostics(`read the team ${teamId}`, active.failure);
}

async function replaced(as: Managed, change: Change): Promise<Diagnostic[]> {
  const { resource } = as;
  const reason =
    'A record cannot change its team, so this record is archived and a new one is created.';
  const { warnings, unknown } = await preview(as, { ...change, planned: null });
  const detail = [reason, resource.lostByReplacement, ...warnings].filter(Boolean).join('\n');
  const summary = `The ${spoken(resource, change.prior)} is replaced`;
  return [warningDiagnostic({ summary, detail, path: 'team_id' }), ...unknown];
}

const noTeam = (id: string): Problem => ({
  path: 'team_id',
  message: `${id} does not match any active team that the API key can see`,
});

type Change = {
  readonly prior: Value;
  readonly planned: Value;
  /** What Terraform managed so far of a singleton. */
  readonly configured: readonly string[];
  readonly connection: Connection | null;
  readonly now: number;
};

/** Whether its creation or change may page somebody else, or nobody: others matter when archived. */
const isPaging = ({ effectsAt }: Resource): boolean => effectsAt !== '';

const previewed = new Set(records.map(({ name }): string => name));

/** What a change does that its diff does not show. */
async function effects(as: Managed, change: Change): Promise<Diagnostic[]> {
  const { resource, type } = as;
  const { prior, planned } = change;
  if (encodeValue(type, prior).equals(encodeValue(type, planned))) return unchanged(as, change);
  const before = await readBefore(as, change);
  const own = [
    ...rotated(as, change),
    ...(await overwritten(as, change)),
    ...returned(as, change),
    ...(await regenerated(as, change, before)),
  ];
  const { warnings, unknown } = await preview(as, change, before);
  // In one, because Terraform shows only the first of warnings that begin alike.
  const texts = [...own, ...warnings];
  const path = planned !== null && isPaging(resource) ? resource.effectsAt : undefined;
  const summary = `Effects of ${doing(as, change)} the ${spoken(resource, planned ?? prior)}`;
  const detail = texts.join('\n');
  return texts.length > 0 ? [warningDiagnostic({ summary, detail, path }), ...unknown] : unknown;
}

/** A policy that stays as it is may page nobody by a schedule that changes. */
function unchanged({ resource }: Managed, { planned, connection }: Change): Diagnostic[] {
  if (resource.name !== escalationPolicy.name || connection === null) return [];
  const messages = connection.previews.unreachableOf(String(fieldOf(planned, 'id')));
  if (messages.length === 0) return [];
  const summary = `Effects of other changes on the ${spoken(resource, planned)}`;
  const path = resource.effectsAt;
  return [warningDiagnostic({ summary, detail: messages.join('\n'), path })];
}

function doing(as: Managed, change: Change): string {
  const { prior, planned } = change;
  if (isDeactivated(as, change)) return 'deactivating';
  if (planned === null) return as.resource.isSingleton ? 'releasing' : 'archiving';
  return prior === null ? 'creating' : 'changing';
}

function rotated({ resource, attributes }: Managed, { prior, planned }: Change): string[] {
  if (!isRotated(attributes, prior, planned)) return [];
  const hours = accessLimits.tokenGraceMinutes / 60;
  return [
    `The ${resource.rotates} is rotated. Set the new addresses in the monitoring tools. The previous ${resource.rotates} is accepted for ${hours} more hours.`,
  ];
}

/** A state lacks what Terraform does not manage of the record. */
async function readBefore({ resource }: Managed, { prior, planned, connection }: Change) {
  if (prior === null || planned === null || !isPaging(resource)) return undefined;
  const read = await connection?.records.read(resource, String(fieldOf(prior, 'id')));
  return read?.ok ? read.value : undefined;
}

/** Told also where the API does not preview it. */
async function regenerated(as: Managed, change: Change, before?: Fields) {
  const { prior, planned, connection, now } = change;
  if (as.resource.name !== oncallSchedule.name || prior === null || planned === null) return [];
  const nameOf = (await connection?.people.names()) ?? byId;
  const stored = before ?? toJson(as.attributes, prior);
  return scheduleWarnings({ before: stored, planned, nameOf, now }).map(({ message }) => message);
}

type Previewed = { readonly warnings: readonly string[]; readonly unknown: Diagnostic[] };

async function preview(as: Managed, change: Change, before?: Fields): Promise<Previewed> {
  const { prior, planned, connection } = change;
  const none = { warnings: [], unknown: [] };
  const isInDoubt = unconfirmedKey(String(fieldOf(prior, 'id'))) !== undefined;
  if (connection === null || isInDoubt) return none;
  const { previews } = connection;
  if (isDeactivated(as, change))
    return reported(previews, { planned: archivedRecord(as, prior), prior });
  if (!previewed.has(as.resource.name)) return none;
  const record =
    planned === null ? archivedRecord(as, prior) : plannedRecord(as, { prior, planned, before });
  previews.remember({ planned: record, prior });
  if (planned !== null && !isPaging(as.resource)) return none;
  return reported(previews, { planned: record, prior });
}

/** A person who could be on call before it, and cannot after. */
const isDeactivated = ({ resource }: Managed, { prior, planned }: Change): boolean =>
  resource.name === user.name &&
  prior !== null &&
  fieldOf(prior, 'active') !== false &&
  (planned === null || fieldOf(planned, 'active') === false);

async function reported(previews: Previews, change: PlannedChange): Promise<Previewed> {
  const { warnings, unknown } = await previews.of(change);
  // Terraform counts the warnings that begin alike.
  const summary = 'The effects of some changes are unknown';
  return {
    warnings,
    unknown: unknown === undefined ? [] : [warningDiagnostic({ summary, detail: unknown })],
  };
}
