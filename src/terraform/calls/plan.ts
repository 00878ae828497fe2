import type { Fields } from '../../client/answer.ts';
import { accessLimits } from '../../limits/access.ts';
import type { Problem, Resource } from '../../resources/declaration/resource.ts';
import { escalationPolicy } from '../../resources/escalation-policy.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { fieldOf, toJson } from '../convert.ts';
import { type Diagnostic, errorDiagnostic, problemText } from '../diagnostics.ts';
import type { ChangeEffects, Effect } from '../effects/change-effects.ts';
import { schedulesIn } from '../effects/preview-answer.ts';
import { endingWord, located, type Managed, managedAs, spoken } from '../managed.ts';
import { memberErrors } from '../member-sides.ts';
import { byId } from '../people.ts';
import { planRecord } from '../planning/plan.ts';
import { archivedRecord, plannedRecord } from '../planning/planned-record.ts';
import { withTimesAsBefore } from '../planning/reconcile.ts';
import { scheduleWarnings } from '../planning/schedule-warnings.ts';
import type { Preview } from '../previews.ts';
import { encodeValue, Unknown, type Value } from '../protocol/value.ts';
import { isRotated } from '../rotation.ts';
import type { Connection, Report, Session } from '../session.ts';
import { configuredIn, proposedSingleton } from '../singleton.ts';
import { type RequestOf, type ResponseOf, received, sending } from './dynamic-value.ts';
import { failureDiagnostics } from './failures.ts';
import { overwritten, returned } from './overwritten.ts';
import { readPrivateState, writePrivateState } from './private-state.ts';
import { sessionErrors } from './session-only.ts';
import { unconfirmedKey } from './unconfirmed.ts';

export async function planResource(
  { managed, now, connection, waves }: Session,
  request: RequestOf<'PlanResourceChange'>,
): Promise<ResponseOf<'PlanResourceChange'>> {
  const declared = managedAs(managed, request.type_name);
  const prior = received(declared.type, request.prior_state);
  const as = located(declared, prior);
  const config = received(as.type, request.config);
  const priorPrivate = request.prior_private;
  const known = readPrivateState(priorPrivate);
  const configured = known.configured ?? [];
  // The creation of a record that is replaced, also by -replace, has what the plan before it kept.
  // Terraform shows none of its warnings.
  const isSecond = prior === null && priorPrivate.length > 0;
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
    fixed: ['team_id', as.resource.owner ?? '', ...as.parents, ...as.resource.fixed],
    isOver: as.resource.neverChanges || isOver(as, prior, now()),
    teamId: connection?.teamId ?? new Unknown(),
  });
  const isChange = !encodeValue(as.type, prior).equals(encodeValue(as.type, planned));
  const change = { prior, planned, isChange, configured, connection, now: now() };
  const isMoved = as.resource.isOfTeam && replacing.includes('team_id');
  const isCreated = replacing.length > 0 || prior === null;
  const errors = [
    ...(isCreated ? await teamErrors(change) : []),
    ...sessionErrors(as, { prior, planned }),
    ...memberErrors(connection, as, { config, value: planned, isAgain: isSecond }),
  ];
  const isReplaced = replacing.length > 0 && prior !== null;
  // An apply neither plans what it ends nor what it replaces: it has ended it by then.
  if (isReplaced || planned === null) waves.plans();
  const isReported = errors.length === 0 && !waves.isApply && !isSecond;
  const own = isReported ? await (isMoved ? replaced : effects)(as, change) : null;
  // Never empty, by which its creation is known.
  const planned_private = isReplaced
    ? writePrivateState(known)
    : ((await ending(as, change, { priorPrivate, own })) ?? managing(as, config, priorPrivate));
  return {
    planned_state: sending(as.type, planned),
    requires_replace: replacing.map((name) => ({ steps: [{ attribute_name: name }] })),
    planned_private,
    diagnostics: isReported
      ? await rendered(await waves.reportOf(own, { isChange, isReplaced }), connection)
      : errors,
  };
}

async function rendered(
  reports: readonly Report[],
  connection: Connection | null,
): Promise<readonly Diagnostic[]> {
  if (reports.length === 0) return [];
  const organization = await connection?.lookups.organizationName();
  return reports.flatMap((report) => report(organization));
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
async function ending({ resource }: Managed, change: Change, { priorPrivate, own }: Ending) {
  const { prior, planned, connection } = change;
  if (planned !== null || connection === null) return undefined;
  const id = String(fieldOf(prior, 'id'));
  if (unconfirmedKey(id) !== undefined) return undefined;
  const read = await connection.records.read(resource, id);
  if (!read.ok) return undefined;
  const used = own?.effects.filter(({ code }) => code === 'still_used') ?? [];
  const reported = used.length > 0 ? used.map(({ message }) => message) : undefined;
  const { version } = read.value;
  return writePrivateState({ ...readPrivateState(priorPrivate), version, reported });
}

type Ending = { readonly priorPrivate: Uint8Array; readonly own: ChangeEffects | null };

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

async function replaced(as: Managed, change: Change): Promise<ChangeEffects> {
  const { resource } = as;
  const reason =
    'A record cannot change its team, so this record is archived and a new one is created.';
  const replacement = [reason, resource.lostByReplacement]
    .filter(Boolean)
    .map((message) => ({ code: 'replaced', message }));
  const preview = await previewOf(as, { ...change, planned: null });
  const creation = await effects(as, { ...change, prior: null });
  const archiving = changeEffects(as, change, { own: replacement, preview });
  return {
    ...archiving,
    effects: [...archiving.effects, ...(creation?.effects ?? [])],
    schedules: [...archiving.schedules, ...(creation?.schedules ?? [])],
    unknown: archiving.unknown ?? creation?.unknown,
    title: `The ${spoken(resource, change.prior)} is replaced`,
    path: 'team_id',
  };
}

const noTeam = (id: string): Problem => ({
  path: 'team_id',
  message: `${id} does not match any active team that the API key can see`,
});

type Change = {
  readonly prior: Value;
  readonly planned: Value;
  /** Whether the two differ. */
  readonly isChange: boolean;
  /** What Terraform managed so far of a singleton. */
  readonly configured: readonly string[];
  readonly connection: Connection | null;
  readonly now: number;
};

/** Whether its creation or change may page somebody else, or nobody: others matter when archived. */
const isPaging = ({ effectsAt }: Resource): boolean => effectsAt !== '';

/** The archiving of what a team declares may leave others without it. */
const isPreviewed = (resource: Resource): boolean => isPaging(resource) || resource.isOfTeam;

/** What a change does that its diff does not show. */
async function effects(as: Managed, change: Change): Promise<ChangeEffects | null> {
  if (!change.isChange) return unchanged(as, change);
  const before = await readBefore(as, change);
  const layers = await layerEffects(as, change, before);
  const own = [
    ...rotated(as, change).map((message) => ({ code: 'secret_rotated', message })),
    ...(await overwritten(as, change)).map((message) => ({
      code: 'settings_overwritten',
      message,
    })),
    ...returned(as, change).map((message) => ({ code: 'settings_returned', message })),
    ...layers,
  ];
  const preview = await previewOf(as, change, before);
  if (own.length === 0 && preview.effects.length === 0 && preview.unknown === undefined)
    return null;
  const regenerated = layers.filter(({ code }) => code === 'layer_regenerated');
  return {
    ...changeEffects(as, change, { own, preview }),
    layers: regenerated.map(({ layer }) => layer),
  };
}

/** A policy that stays as it is may page nobody by a schedule that changes. */
function unchanged(as: Managed, change: Change): ChangeEffects | null {
  const { resource } = as;
  const { planned, connection } = change;
  if (resource.name !== escalationPolicy.name || connection === null) return null;
  const own = connection.previews.unreachableOf(String(fieldOf(planned, 'id')));
  if (own.length === 0) return null;
  return {
    ...changeEffects(as, change, { own, preview: noPreview }),
    title: `Effects of other changes on the ${spoken(resource, planned)}`,
  };
}

type Parts = { readonly own: readonly Effect[]; readonly preview: Preview };

function changeEffects(as: Managed, change: Change, { own, preview }: Parts): ChangeEffects {
  const { resource } = as;
  const { prior, planned } = change;
  const record = planned ?? prior;
  const name = String(fieldOf(record, 'name') ?? fieldOf(record, 'email') ?? resource.name);
  const timezone = String(fieldOf(record, 'timezone') ?? 'UTC');
  const isSchedule = resource.name === oncallSchedule.name;
  return {
    kind: resource.name,
    name,
    title: `Effects of ${doing(as, change)} the ${spoken(resource, record)}`,
    path: planned !== null && isPaging(resource) ? resource.effectsAt : undefined,
    isCreation: prior === null,
    effects: [...own, ...preview.effects],
    schedules: schedulesIn(preview.answer, isSchedule ? { name, timezone } : null),
    layers: [],
    unknown: preview.unknown,
  };
}

function doing(as: Managed, change: Change): string {
  const { prior, planned } = change;
  if (isDeactivated(as, change)) return 'deactivating';
  if (planned === null) return `${endingWord(as.resource).slice(0, -1)}ing`;
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
  if (prior === null || planned === null || !isPaging(resource) || isPerson(resource))
    return undefined;
  const read = await connection?.records.read(resource, String(fieldOf(prior, 'id')));
  return read?.ok ? read.value : undefined;
}

/** Told also where the API does not preview it. */
async function layerEffects(as: Managed, change: Change, before?: Fields) {
  const { prior, planned, connection, now } = change;
  if (as.resource.name !== oncallSchedule.name || prior === null || planned === null) return [];
  const nameOf = (await connection?.people.names()) ?? byId;
  const stored = before ?? toJson(as.attributes, prior);
  return scheduleWarnings({ before: stored, planned, nameOf, now });
}

const noPreview: Preview = { effects: [], answer: {} };

async function previewOf(as: Managed, change: Change, before?: Fields): Promise<Preview> {
  const { prior, planned, connection } = change;
  const isInDoubt = unconfirmedKey(String(fieldOf(prior, 'id'))) !== undefined;
  if (connection === null || isInDoubt) return noPreview;
  const { previews } = connection;
  if (isPerson(as.resource))
    return isDeactivated(as, change)
      ? previews.of({ planned: archivedRecord(as, prior), prior })
      : noPreview;
  if (!isPreviewed(as.resource)) return noPreview;
  const record =
    planned === null ? archivedRecord(as, prior) : plannedRecord(as, { prior, planned, before });
  previews.remember({ planned: record, prior });
  if (planned !== null && !isPaging(as.resource)) return noPreview;
  return previews.of({ planned: record, prior });
}

/** Of what is not archived, only its end has effects. */
const isPerson = ({ effectsAt, ending }: Resource): boolean => effectsAt !== '' && ending !== null;

/** A person who could be on call before it, and cannot after. */
const isDeactivated = ({ resource }: Managed, { prior, planned }: Change): boolean =>
  isPerson(resource) &&
  prior !== null &&
  fieldOf(prior, resource.effectsAt) !== false &&
  (planned === null || fieldOf(planned, resource.effectsAt) === false);
