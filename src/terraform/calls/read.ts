import type { Fields } from '../../client/answer.ts';
import { isArchived, type RecordOf } from '../../client/records.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { fieldOf, readJson } from '../convert.ts';
import { type Diagnostic, warningDiagnostic } from '../diagnostics.ts';
import { type Managed, managedAs, spoken } from '../managed.ts';
import { withDefaults } from '../planning/plan.ts';
import { refresh } from '../planning/reconcile.ts';
import { absences } from '../planning/schedule-warnings.ts';
import type { Value } from '../protocol/value.ts';
import type { Session } from '../session.ts';
import { type RequestOf, type ResponseOf, received, sending } from './dynamic-value.ts';
import { isNotFound, notConnected, notUnderstood, recordFailure } from './failures.ts';
import { keepMasked, secretsFromState, secretsLacking } from './masked.ts';
import { missingFrom } from './missing.ts';
import { readPrivateState, writePrivateState } from './private-state.ts';
import { unconfirmedKey } from './unconfirmed.ts';

type Reading = ResponseOf<'ReadResource'>;

/** Refreshes a state, or fills one that an import began. */
export async function readResource(
  { managed, connection }: Session,
  { type_name, current_state, private: privateState }: RequestOf<'ReadResource'>,
): Promise<Reading> {
  const as = managedAs(managed, type_name);
  const prior = received(as.type, current_state);
  const asBefore = { new_state: sending(as.type, prior), private: privateState };
  const id = String(fieldOf(prior, 'id'));
  if (unconfirmedKey(id) !== undefined) return asBefore;
  const doing = `read the ${spoken(as.resource, prior)}`;
  if (connection === null) return { ...asBefore, diagnostics: [notConnected(doing)] };
  const known = readPrivateState(privateState).organizationId;
  const result = await connection.records.read(as.resource, id);
  if (result.ok) {
    const organizationId = known ?? (await connection.organization.id());
    return { ...asBefore, ...readingOf(as, { prior, doing, organizationId }, result.value) };
  }
  if (isNotFound(result.failure)) {
    const missing = await missingFrom(connection, { resource: as.resource, prior, known });
    return missing.isGone
      ? gone(as, missing.diagnostic)
      : { ...asBefore, diagnostics: [missing.diagnostic] };
  }
  return { ...asBefore, diagnostics: recordFailure(as.resource, doing, result.failure) };
}

type Refreshing = {
  readonly prior: Value;
  readonly doing: string;
  readonly organizationId: string | undefined;
};

/** Without a state when the answer does not give one. */
function readingOf(
  as: Managed,
  { prior, doing, organizationId }: Refreshing,
  record: RecordOf<Resource>,
): Reading {
  const { resource, attributes, type } = as;
  const answered = readJson(attributes, record);
  if (answered === undefined || typeof record.team_id !== 'string')
    return { diagnostics: [notUnderstood(doing)] };
  if (isArchived(record)) return gone(as, archived(resource, record));
  const teamId = fieldOf(prior, 'team_id');
  const isImport = fieldOf(prior, 'counter') === null;
  if (isImport && teamId !== null && teamId !== record.team_id)
    return gone(as, elsewhere(resource, prior));
  const { value, isMasked, isLacking } = keepMasked(attributes, prior, answered);
  if (isLacking) return { diagnostics: [secretsLacking(doing)] };
  // An older server does not know of every default: it would differ from what is planned for ever.
  const read = withDefaults(attributes, value, refresh(prior, value));
  return {
    new_state: sending(type, read),
    private: writePrivateState({ version: record.version, organizationId }),
    diagnostics: [...(isMasked ? [secretsFromState] : []), ...absent(resource, record)],
  };
}

/** Whoever reads *No changes* of a schedule may take it that somebody is on call. */
function absent(resource: Resource, record: RecordOf<Resource>): Diagnostic[] {
  if (resource.name !== oncallSchedule.name) return [];
  const { hasEnded, texts } = absences(record, Date.now());
  if (texts.length === 0) return [];
  const what = spoken(resource, { name: String(record['name']) });
  const state = hasEnded
    ? 'has ended: only overrides have anybody on call'
    : 'has times with nobody on call in a layer';
  const help =
    'Terraform cannot express that, and may show no difference. It can be changed in the dashboard; an update of `layers` removes it.';
  const detail = [...texts, help].join('\n');
  return [warningDiagnostic({ summary: `The ${what} ${state}`, detail })];
}

const gone = ({ type }: Managed, why: Diagnostic): Reading => ({
  new_state: sending(type, null),
  diagnostics: [why],
});

function archived(resource: Resource, record: Fields): Diagnostic {
  const { name, id, archived_at } = record;
  const what = spoken(resource, { name: typeof name === 'string' ? name : null, id: String(id) });
  return warningDiagnostic({
    summary: `The ${what} is archived`,
    detail: `It was archived at ${archived_at}, and not by Terraform, which takes it for gone. To keep it, restore it before the next apply, by POST /${resource.route}/${id}/restore of an admin who is signed in; otherwise what is configured is created anew.`,
  });
}

/** Of an import that names the team, too. */
const elsewhere = (resource: Resource, prior: Value): Diagnostic =>
  warningDiagnostic({
    summary: `The ${spoken(resource, prior)} is not found`,
    detail: `The team ${fieldOf(prior, 'team_id')} has no such record.`,
  });
