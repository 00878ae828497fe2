import type { Failure } from '../../client/answer.ts';
import type { RecordOf, Saved } from '../../client/records.ts';
import type { Resource } from '../../resources/resource.ts';
import { fieldOf, fromJson, readJson, toJson } from '../convert.ts';
import type { Diagnostic } from '../diagnostics.ts';
import { type Managed, managedAs, spoken } from '../managed.ts';
import type { Value } from '../protocol/value.ts';
import { reconcile } from '../reconcile.ts';
import type { Attribute } from '../schema.ts';
import type { Connection, Session } from '../session.ts';
import { type Answered, type Asked, received, sending } from './dynamic-value.ts';
import {
  answerWarnings,
  failureDiagnostics,
  isNotFound,
  notConnected,
  recordFailure,
  unseen,
} from './failures.ts';
import { keptOf, readKept, writeKept } from './kept.ts';

/** What Terraform keeps from now on. */
type Applied = {
  readonly state: Value;
  readonly kept: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
};
type Applying = Connection &
  Managed & { readonly prior: Value; readonly planned: Value; readonly plannedKept: Uint8Array };

export async function applyResource(
  { connection }: Session,
  asked: Asked<'ApplyResourceChange'>,
): Promise<Answered<'ApplyResourceChange'>> {
  const as = managedAs(asked.type_name);
  const prior = received(as.type, asked.prior_state);
  const planned = received(as.type, asked.planned_state);
  const plannedKept = asked.planned_private;
  const doing = `apply the ${spoken(as.resource, planned ?? prior)}`;
  const { state, kept, diagnostics } =
    connection === null
      ? unchanged({ prior, plannedKept }, [notConnected(doing)])
      : await apply({ ...connection, ...as, prior, planned, plannedKept });
  return { new_state: sending(as.type, state), private: kept, diagnostics };
}

function apply(applying: Applying): Promise<Applied> {
  if (applying.planned === null) return archive(applying);
  return applying.prior === null ? create(applying) : update(applying);
}

const unchanged = (
  { prior, plannedKept }: Pick<Applying, 'prior' | 'plannedKept'>,
  diagnostics: readonly Diagnostic[],
): Applied => ({ state: prior, kept: plannedKept, diagnostics });

async function create(applying: Applying): Promise<Applied> {
  const { records, resource, attributes, planned, teamId } = applying;
  const fields = toJson(attributes, planned);
  const made = await records.create(resource, { fields, teamId: teamId ?? undefined });
  const doing = `create the ${spoken(resource, planned)}`;
  if (made.ok) return saved(applying, made.value);
  const hint = mayBeMade(made.failure) ? ifMade : '';
  return unchanged(applying, failureDiagnostics(doing, made.failure, hint));
}

/** A create may have been done unless the API itself says no. */
const mayBeMade = ({ type }: Failure) => type !== 'refused' && type !== 'unknown_route';
const ifMade = 'If the dashboard shows it all the same, import it before the next apply.';

async function update(applying: Applying): Promise<Applied> {
  const { records, resource, attributes, prior, planned, plannedKept } = applying;
  const { version, unshown } = readKept(plannedKept);
  const fields = { ...unshown, ...toJson(attributes, planned) };
  const id = String(fieldOf(prior, 'id'));
  const changed = await records.update(resource, { id, version, fields });
  if (changed.ok) return saved(applying, changed.value);
  const doing = `change the ${spoken(resource, prior)}`;
  return unchanged(applying, failureDiagnostics(doing, changed.failure));
}

function saved(applying: Applying, { record, warnings }: Saved<Resource>): Applied {
  const { resource, planned } = applying;
  const done = `The ${spoken(resource, planned)} is saved.`;
  return { ...stateOf(applying, record), diagnostics: answerWarnings(done, warnings) };
}

async function archive(applying: Applying): Promise<Applied> {
  const { records, resource, prior, plannedKept } = applying;
  const what = spoken(resource, prior);
  const id = String(fieldOf(prior, 'id'));
  const { version } = readKept(plannedKept);
  const ended = await records.archive(resource, { id, version });
  if (ended.ok) {
    const diagnostics = answerWarnings(`The ${what} is archived.`, ended.value.warnings);
    return { state: null, kept: nothing, diagnostics };
  }
  if (isNotFound(ended.failure))
    return { state: null, kept: nothing, diagnostics: [unseen(resource, prior)] };
  return unchanged(applying, recordFailure(resource, `archive the ${what}`, ended.failure));
}

const nothing = new Uint8Array();

function stateOf({ resource, attributes, planned }: Applying, record: RecordOf<Resource>) {
  const kept = writeKept(keptOf(resource, record));
  return { state: reconcile(planned, answered(attributes, record)), kept };
}

/** Whatever else an API of another version says: a record that exists is known by its id. */
const answered = (attributes: readonly Attribute[], record: RecordOf<Resource>): Value =>
  readJson(attributes, record) ?? fromJson(attributes, { id: record.id });
