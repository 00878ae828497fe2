import { randomUUID } from 'node:crypto';
import type { Failed, Failure, Result } from '../../client/answer.ts';
import type { Creation, Ending, RecordOf, Saved } from '../../client/records.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { fieldOf, fromJson, readJson, toJson } from '../convert.ts';
import type { Diagnostic } from '../diagnostics.ts';
import { endingWord, inWords, located, type Managed, managedAs, spoken } from '../managed.ts';
import { reconcile } from '../planning/reconcile.ts';
import type { Value } from '../protocol/value.ts';
import { isRotated, rotationKey } from '../rotation.ts';
import type { Attribute } from '../schema.ts';
import type { Connection, Session } from '../session.ts';
import { changedSecrets } from '../write-only.ts';
import { type RequestOf, type ResponseOf, received, sending } from './dynamic-value.ts';
import {
  answerWarnings,
  failureDiagnostics,
  isNotFound,
  notConnected,
  recordFailure,
} from './failures.ts';
import { hiddenBy, missingFrom } from './missing.ts';
import { readPrivateState, writePrivateState } from './private-state.ts';
import { unconfirmedError, unconfirmedId, unconfirmedKey } from './unconfirmed.ts';
import { writeOnlyErrors } from './write-only.ts';

/** What Terraform keeps from now on. */
type Applied = {
  readonly state: Value;
  readonly privateState: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
};
type Applying = Connection &
  Managed & {
    readonly prior: Value;
    readonly planned: Value;
    /** Null for a record that is to be archived. */
    readonly config: Value;
    readonly plannedPrivate: Uint8Array;
  };

export async function applyResource(
  { managed, connection }: Session,
  request: RequestOf<'ApplyResourceChange'>,
): Promise<ResponseOf<'ApplyResourceChange'>> {
  const declared = managedAs(managed, request.type_name);
  const prior = received(declared.type, request.prior_state);
  const planned = received(declared.type, request.planned_state);
  const config = received(declared.type, request.config);
  const as = located(declared, prior ?? planned);
  const plannedPrivate = request.planned_private;
  const doing = `apply the ${spoken(as.resource, planned ?? prior)}`;
  const { state, privateState, diagnostics } =
    connection === null
      ? unchanged({ prior, plannedPrivate }, [notConnected(doing)])
      : await apply({ ...connection, ...as, prior, planned, config, plannedPrivate });
  connection?.memberSides.note(as, { config, value: state });
  return { new_state: sending(as.type, state), private: privateState, diagnostics };
}

function apply(applying: Applying): Promise<Applied> {
  if (applying.planned === null) return archive(applying);
  // What was unknown when it was validated may be null by now.
  const errors = writeOnlyErrors(applying.attributes, applying.config, { isAllowed: true });
  if (errors.length > 0) return Promise.resolve(unchanged(applying, errors));
  return applying.prior === null ? create(applying) : update(applying);
}

const unchanged = (
  { prior, plannedPrivate }: Pick<Applying, 'prior' | 'plannedPrivate'>,
  diagnostics: readonly Diagnostic[],
): Applied => ({ state: prior, privateState: plannedPrivate, diagnostics });

async function create(applying: Applying): Promise<Applied> {
  const { records, resource, planned } = applying;
  const key = randomUUID();
  const made = await records.create(resource, creationOf(applying, planned, key));
  if (made.ok) return await saved(applying, made.value);
  const doing = `create the ${spoken(resource, planned)}`;
  if (!made.mayBeDone)
    return unchanged(applying, failureDiagnostics(doing, made.failure, hintOf(applying, made)));
  // The next apply finds it as it wants it, or writes it.
  if (resource.noneAt !== '' || resource.isSingleton || resource.isAdopted)
    return unchanged(applying, failureDiagnostics(doing, made.failure, ifWritten));
  if (resource.secretOnce !== '')
    return unchanged(applying, failureDiagnostics(doing, made.failure, ifMadeInSecret));
  // Replaced, it would keep what another one needs to be known by, or what no two of them share.
  if (resource.knownBy !== '' || resource.neverChanges)
    return unchanged(applying, failureDiagnostics(doing, made.failure, ifMadeAsKnown));
  return {
    state: reconcile(planned, { id: unconfirmedId(key) }),
    privateState: nothing,
    diagnostics: failureDiagnostics(doing, made.failure, ifMade),
  };
}

const creationOf = (
  { resource, attributes, config, teamId }: Applying,
  value: Value,
  key: string,
): Creation => ({
  fields: toJson(attributes, value, config),
  teamId: (resource.isOfTeam && teamId) || undefined,
  key,
});

// What has a state, and an error, is replaced by the next apply.
const ifMade =
  'It may have been created anyway. Apply again within 24 hours with the same API key: Terraform then archives the lost record and creates a new one.';

const ifMadeAsKnown =
  'It may have been created anyway. Apply again: if it exists, the error shows how to import it.';

const ifWritten = 'It may have been written anyway. Apply again.';

const ifMadeInSecret =
  'It may have been created anyway, and its secret is lost. Look for it in the list of GET /api-keys, revoke it, and apply again.';

function hintOf(applying: Applying, made: Failed): string {
  const { failure } = made;
  const isLost = failure.type === 'refused' && failure.code === 'answer_lost';
  return isLost && applying.resource.secretOnce !== '' ? ifMadeInSecret : ifTaken(applying, made);
}

/** Only what is known by a field can be there already. */
function ifTaken({ resource: { name, knownBy }, planned }: Applying, { failure }: Failed): string {
  const isTaken =
    failure.type === 'refused' &&
    failure.code === 'conflict' &&
    failure.issues.some(({ path }) => path !== '' && path === knownBy);
  return isTaken
    ? `If that ${inWords(name)} belongs to this organization, import it, whether it is active or not: terraform import ADDRESS ${fieldOf(planned, knownBy)}`
    : '';
}

async function update(applying: Applying): Promise<Applied> {
  const { records, resource, attributes, prior, planned, plannedPrivate } = applying;
  const isUnconfirmed = unconfirmedKey(String(fieldOf(prior, 'id'))) !== undefined;
  if (isUnconfirmed) return unchanged(applying, [unconfirmedError(resource, prior)]);
  const { version } = readPrivateState(plannedPrivate);
  const before = toJson(attributes, prior);
  const fields = toJson(attributes, planned, changedSecrets(applying));
  const id = String(fieldOf(prior, 'id'));
  const changed = await records.update(resource, { id, version, before, fields });
  if (changed.ok)
    return isRotated(attributes, prior, planned)
      ? await rotate(applying, changed.value)
      : await saved(applying, changed.value);
  const doing = `change the ${spoken(resource, prior)}`;
  return unchanged(applying, failureDiagnostics(doing, changed.failure));
}

async function rotate(applying: Applying, { record, warnings }: Saved<Resource>): Promise<Applied> {
  const { records, resource, attributes, planned, plannedPrivate } = applying;
  const key = rotationKey(readPrivateState(plannedPrivate).rotation, attributes, planned);
  const rotated = await records.rotate(resource, { id: record.id, key });
  if (rotated.ok) return saved(applying, { ...rotated.value, warnings }, key);
  const doing = `rotate the ${resource.rotates} of the ${spoken(resource, planned)}`;
  const hint = rotated.mayBeDone ? ifRotated : '';
  return unchanged(applying, failureDiagnostics(doing, rotated.failure, hint));
}

const ifRotated =
  'It may have been rotated anyway. Apply again within 24 hours with the same API key: it is not rotated twice.';

async function saved(
  applying: Applying,
  { record, warnings }: Saved<Resource>,
  rotation = readPrivateState(applying.plannedPrivate).rotation,
): Promise<Applied> {
  const { resource, planned } = applying;
  const done = `The ${spoken(resource, planned)} is saved.`;
  const stated = await stateOf(applying, record, rotation);
  return { ...stated, diagnostics: answerWarnings(done, warnings) };
}

async function archive(applying: Applying): Promise<Applied> {
  const { records, resource, prior } = applying;
  const what = spoken(resource, prior);
  const ending = await endingOf(applying);
  if (!ending.ok) return unfound(applying, ending.failure);
  const ended = await records.archive(resource, ending.value);
  if (ended.ok) {
    const done = `The ${what} is ${endingWord(resource)}d.`;
    const { reported = [] } = readPrivateState(applying.plannedPrivate);
    const warnings = ended.value.warnings.filter((warning) => !reported.includes(warning));
    const diagnostics = answerWarnings(done, warnings);
    return { state: null, privateState: nothing, diagnostics };
  }
  if (isOverAnyway(applying, ended.failure))
    return { state: null, privateState: nothing, diagnostics: [] };
  if (isNotFound(ended.failure)) {
    const known = readPrivateState(applying.plannedPrivate).organizationId;
    const { isGone, diagnostics } = await missingFrom(applying, { as: applying, prior, known });
    return isGone
      ? { state: null, privateState: nothing, diagnostics }
      : unchanged(applying, diagnostics);
  }
  return unchanged(
    applying,
    recordFailure(resource, `${endingWord(resource)} the ${what}`, ended.failure),
  );
}

/** Nothing is left to end of what has ended by itself, or with the record that it is below. */
function isOverAnyway({ resource, parents }: Applying, failure: Failure): boolean {
  if (failure.type !== 'refused') return false;
  if (failure.code === 'archived') return parents.length > 0 || resource.owner !== null;
  return failure.code === 'conflict' && resource.endsAt !== '';
}

/** Where the answer to its creation was lost, it is asked for again, and tells the id. */
async function endingOf(applying: Applying): Promise<Result<Ending>> {
  const { records, resource, prior, plannedPrivate } = applying;
  const id = String(fieldOf(prior, 'id'));
  const key = unconfirmedKey(id);
  if (key === undefined) {
    const { version, configured = [] } = readPrivateState(plannedPrivate);
    return { ok: true, value: { id, version, ...(resource.isSingleton && { only: configured }) } };
  }
  const made = await records.create(resource, creationOf(applying, prior, key));
  return made.ok ? { ok: true, value: { id: made.value.record.id } } : made;
}

async function unfound(applying: Applying, failure: Failure): Promise<Applied> {
  // An API that had created it would not refuse to, where the key has access to it.
  const { prior } = applying;
  const isRefused = failure.type === 'refused' && [400, 404, 422].includes(failure.status);
  if (isRefused) {
    const hidden = await hiddenBy(applying, { as: applying, prior, known: undefined });
    return hidden.length > 0
      ? unchanged(applying, hidden)
      : { state: null, privateState: nothing, diagnostics: [] };
  }
  const doing = `check whether the ${spoken(applying.resource, prior)} exists`;
  return unchanged(applying, failureDiagnostics(doing, failure, ifUnfound));
}
const ifUnfound =
  'To continue without it, remove it from the state with `terraform state rm`, and archive the record if the dashboard still shows it.';

const nothing = new Uint8Array();

async function stateOf(
  applying: Applying,
  record: RecordOf<Resource>,
  rotation: string | undefined,
) {
  const { attributes, planned, lookups } = applying;
  const privateState = writePrivateState({
    version: record.version,
    organizationId: await lookups.organizationId(),
    rotation,
    configured: readPrivateState(applying.plannedPrivate).configured,
  });
  return { state: reconcile(planned, answered(attributes, record)), privateState };
}

/** Whatever else an API of another version says: a record that exists is known by its id. */
const answered = (attributes: readonly Attribute[], record: RecordOf<Resource>): Value =>
  readJson(attributes, record) ?? fromJson(attributes, { id: record.id });
