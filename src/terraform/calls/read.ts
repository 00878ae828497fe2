import type { Fields } from '../../client/answer.ts';
import { isArchived, type RecordOf } from '../../client/records.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { fieldOf, readJson } from '../convert.ts';
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from '../diagnostics.ts';
import { endingWord, located, type Managed, managedAs, spoken } from '../managed.ts';
import { withDefaults } from '../planning/plan.ts';
import { refresh, withTimesAsBefore } from '../planning/reconcile.ts';
import { absences } from '../planning/schedule-warnings.ts';
import type { Value } from '../protocol/value.ts';
import type { Attribute } from '../schema.ts';
import type { Session } from '../session.ts';
import { takenOver } from '../singleton.ts';
import { type RequestOf, type ResponseOf, received, sending } from './dynamic-value.ts';
import { isNotFound, mayBeHidden, notConnected, notUnderstood, recordFailure } from './failures.ts';
import { keepMasked, secretsFromState, secretsLacking } from './masked.ts';
import { missingFrom } from './missing.ts';
import { readPrivateState, writePrivateState } from './private-state.ts';
import { unconfirmedKey, unconfirmedWarning } from './unconfirmed.ts';

type Reading = ResponseOf<'ReadResource'>;

/** Refreshes a state, or fills one that an import began. */
export async function readResource(
  { managed, now, connection }: Session,
  { type_name, current_state, private: privateState }: RequestOf<'ReadResource'>,
): Promise<Reading> {
  const declared = managedAs(managed, type_name);
  const prior = received(declared.type, current_state);
  const as = located(declared, prior);
  const asBefore = { new_state: sending(as.type, prior), private: privateState };
  const id = String(fieldOf(prior, 'id'));
  if (unconfirmedKey(id) !== undefined)
    return { ...asBefore, diagnostics: [unconfirmedWarning(as.resource, prior)] };
  const isImport = isOnlyNamed(as, prior);
  const doing = `read the ${spoken(as.resource, prior)}`;
  if (connection === null) return { ...asBefore, diagnostics: [notConnected(doing)] };
  const { organizationId: known, rotation, configured } = readPrivateState(privateState);
  const result = await connection.records.read(as.resource, id);
  if (result.ok) {
    const organizationId = known ?? (await connection.lookups.organizationId());
    const rest = { organizationId, rotation, configured };
    const reading = { prior, doing, ...rest, isImport, now: now() };
    return { ...asBefore, ...readingOf(as, reading, result.value) };
  }
  if (isNotFound(result.failure)) {
    if (isImport) return { ...asBefore, diagnostics: [noImport(as.resource, prior)] };
    const { isGone, diagnostics } = await missingFrom(connection, { as, prior, known });
    return isGone ? gone(as, diagnostics) : { ...asBefore, diagnostics };
  }
  return { ...asBefore, diagnostics: recordFailure(as.resource, doing, result.failure) };
}

/** As an import leaves it: without what every configuration has. */
function isOnlyNamed({ resource, attributes, parents }: Managed, prior: Value): boolean {
  const isDecisive = ({ name, set }: Attribute) =>
    resource.isSingleton ? name !== 'id' : set === 'required' && !parents.includes(name);
  return attributes.filter(isDecisive).every(({ name }) => fieldOf(prior, name) === null);
}

type Refreshing = {
  readonly prior: Value;
  readonly doing: string;
  readonly organizationId: string | undefined;
  readonly rotation: string | undefined;
  readonly configured: readonly string[] | undefined;
  /** Which Terraform would end with words of its own if there were no state. */
  readonly isImport: boolean;
  readonly now: number;
};

/** Without a state when the answer does not give one. */
function readingOf(
  as: Managed,
  { prior, doing, organizationId, rotation, configured, isImport, now }: Refreshing,
  record: RecordOf<Resource>,
): Reading {
  const { resource, attributes, type } = as;
  const answered = readJson(attributes, record);
  if (answered === undefined || (resource.isOfTeam && typeof record.team_id !== 'string'))
    return { diagnostics: [notUnderstood(doing)] };
  if (isArchived(record))
    return isImport
      ? { diagnostics: [noImportOfArchived(resource, record)] }
      : gone(as, [archived(resource, record)]);
  const teamId = fieldOf(prior, 'team_id');
  if (isImport && teamId !== null && teamId !== record.team_id)
    return { diagnostics: [noImport(resource, prior)] };
  const timed = withTimesAsBefore(resource, prior, answered);
  const { value, isMasked, isLacking } = keepMasked(attributes, prior, timed);
  if (isLacking) return { diagnostics: [secretsLacking(doing)] };
  // An older server does not know of every default: it would differ from what is planned for ever.
  const read = withDefaults(attributes, value, refresh(prior, value));
  return {
    new_state: sending(type, read),
    private: writePrivateState({
      version: record.version,
      organizationId,
      // Rotations before the import had keys too.
      rotation: isImport && resource.rotates !== '' ? String(record.version) : rotation,
      configured: isImport ? takenOver(resource, record) : configured,
    }),
    diagnostics: [...(isMasked ? [secretsFromState] : []), ...absent(resource, record, now)],
  };
}

/** Whoever reads *No changes* of a schedule may take it that somebody is on call. */
function absent(resource: Resource, record: RecordOf<Resource>, now: number): Diagnostic[] {
  if (resource.name !== oncallSchedule.name) return [];
  const { hasEnded, texts } = absences(record, now);
  if (texts.length === 0) return [];
  const what = spoken(resource, { name: String(record['name']) });
  const state = hasEnded
    ? 'has ended: only overrides put anyone on call'
    : 'has turns with nobody on call in a layer';
  const help =
    'Terraform cannot express this and may show no difference. Change it in the dashboard. An update removes it from the layers that it changes.';
  const detail = [...texts, help].join('\n');
  return [warningDiagnostic({ summary: `The ${what} ${state}`, detail })];
}

const gone = ({ type }: Managed, diagnostics: readonly Diagnostic[]): Reading => ({
  new_state: sending(type, null),
  diagnostics,
});

const archived = (resource: Resource, record: Fields): Diagnostic =>
  resource.secretOnce === '' ? archivedElsewhere(resource, record) : revoked(resource, record);

const revoked = (resource: Resource, record: Fields): Diagnostic =>
  warningDiagnostic({
    summary: `The ${nameOf(resource, record)} is revoked`,
    detail: `It was revoked at ${record['archived_at']}, not by Terraform, so Terraform treats it as deleted. It cannot be restored: the next apply creates a new one.`,
  });

const archivedElsewhere = (resource: Resource, record: Fields): Diagnostic =>
  warningDiagnostic({
    summary: `The ${nameOf(resource, record)} is archived`,
    detail: `It was archived at ${record['archived_at']}, not by Terraform, so Terraform treats it as deleted. To keep it, restore it before the next apply with ${restoring(resource, record)}. Otherwise, the next apply creates a new record.`,
  });

const noImportOfArchived = (resource: Resource, record: Fields): Diagnostic =>
  errorDiagnostic({
    summary: `The ${nameOf(resource, record)} is ${endingWord(resource)}d`,
    detail:
      resource.secretOnce === ''
        ? `It was archived at ${record['archived_at']}. To import it, restore it first with ${restoring(resource, record)}.`
        : `It was revoked at ${record['archived_at']}, and cannot be restored.`,
  });

const nameOf = (resource: Resource, { id, name }: Fields) =>
  spoken(resource, { name: typeof name === 'string' ? name : null, id: String(id) });

const restoring = ({ route }: Resource, { id }: Fields) =>
  `POST /${route}/${id}/restore as a signed-in admin`;

function noImport(resource: Resource, prior: Value): Diagnostic {
  const teamId = fieldOf(prior, 'team_id');
  const whose = teamId === null ? 'The API knows' : `The team ${teamId} has`;
  return errorDiagnostic({
    summary: `The ${spoken(resource, prior)} is not found`,
    detail: `${whose} no such record. ${mayBeHidden}`,
  });
}
