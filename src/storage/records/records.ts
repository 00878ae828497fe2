// One store for all records: it reads the declaration, and nothing in it is about one record
// alone but what `extras` and `archive` say.
import { randomBytes } from 'node:crypto';
import type { Ids } from '../../engine/ids.ts';
import { Unreadable } from '../../engine/unreadable.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { type Act, type AuditedAction, audit } from '../audit.ts';
import { type Sql, type Transaction, transact } from '../database.ts';
import { anchorsOfNew, beginHistory, revise } from '../oncall/revisions.ts';
import type { Secrets } from '../secrets.ts';
import { insertWebhookSecret } from '../webhooks/secrets.ts';
import { replacePolicy } from './policy-replacement.ts';
import { find, nextCounter, type RecordList, type Scope, select } from './queries.ts';
import {
  addedColumns,
  columnsOf,
  json,
  recordOf,
  type StoredRecord,
  sealToken,
  type UnreadableRecord,
  writtenRecord,
} from './rows.ts';
import { type Lookup, lookupIn, type Use, usesOf } from './uses.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What can be wrong with the record a write is for. */
export type RecordRefusal =
  | 'not_found'
  | 'archived'
  | 'team_archived'
  | 'stale_version'
  | 'replacement_not_active';

export type Draft = { readonly teamId: string; readonly fields: Fields };
export type Change = {
  /** The id or the counter. */
  readonly key: string;
  readonly act: Act;
  readonly expectedVersion: number | null;
};
export type Archived = {
  readonly record: StoredRecord;
  /** Active records that still point to it. */
  readonly uses: readonly Use[];
};
/** Decide what is stored, inside the transaction that stores it; throw to store nothing. */
export type DecideDraft = (look: Lookup) => Promise<Draft>;
export type DecideFields = (look: Lookup, before: StoredRecord) => Promise<Fields>;

export type RecordsParts = {
  readonly sql: Sql;
  readonly secrets: Secrets;
  readonly ids: Ids;
};

export type Records = ReturnType<typeof createRecords>;

export function createRecords(parts: RecordsParts) {
  const { sql, secrets } = parts;
  return {
    create: (resource: Resource, act: Act, decide: DecideDraft): Promise<StoredRecord> =>
      transact(sql, (tx) => insert(parts, resource, { tx, act, decide })),

    /** An archived record too. */
    async read(resource: Resource, key: string, scope: Scope) {
      const row = await find(sql, resource, { key, scope });
      return row && recordOf(resource, row, secrets);
    },

    /** By counter; one that cannot be read keeps nobody from the others. */
    async list(
      resource: Resource,
      query: RecordList,
      scope: Scope,
    ): Promise<(StoredRecord | UnreadableRecord)[]> {
      const rows = await select(sql, resource, { query, scope });
      return rows.map((row) => {
        try {
          return recordOf(resource, row, secrets);
        } catch (error) {
          if (error instanceof Unreadable) return { id: row['id'], counter: row['counter'], error };
          throw error;
        }
      });
    },

    update: (
      resource: Resource,
      change: Change,
      decide: DecideFields,
    ): Promise<StoredRecord | RecordRefusal> =>
      transact(sql, (tx) => update(parts, resource, { tx, change, decide })),

    archive: (resource: Resource, change: Change): Promise<Archived | RecordRefusal> =>
      transact(sql, (tx) => archive(parts, resource, { tx, change })),

    restore: (resource: Resource, change: Change): Promise<StoredRecord | RecordRefusal> =>
      transact(sql, (tx) => restore(parts, resource, { tx, change })),
  };
}

type Insertion = { tx: Transaction; act: Act; decide: DecideDraft };

async function insert(parts: RecordsParts, resource: Resource, { tx, act, decide }: Insertion) {
  const { secrets, ids } = parts;
  const { teamId, fields } = await decide(lookupIn(tx, act.organizationId));
  const of = { organization_id: act.organizationId, id: ids.next() };
  const row = {
    ...of,
    counter: await nextCounter(tx, act.organizationId, resource.name),
    version: 1,
    team_id: teamId,
    ...columnsOf(resource, fields, { sql: tx, secrets, of }),
    ...(resource.name === 'integration' && newToken(of, secrets)),
    ...(resource.name === 'oncall_schedule' && {
      anchors: json(tx, anchorsOfNew(ids, fields, act.now)),
    }),
    created_at: act.now,
    updated_at: act.now,
    archived_at: null,
  };
  const [stored] = await tx`
    insert into ${tx(resource.table)} ${tx(row)} returning ${tx(addedColumns(resource))}`;
  if (stored === undefined) throw new Error(`nothing was inserted into ${resource.table}`);
  const after = writtenRecord(resource, { row: stored, fields }, secrets);
  if (resource.name === 'oncall_schedule') await beginHistory(tx, { act, schedule: after });
  await note(tx, { ids, resource, act, action: 'create', after });
  if (resource.name === 'outbound_webhook')
    await insertWebhookSecret(tx, parts, { webhookId: after.id, act });
  return after;
}

function newToken(of: Parameters<typeof sealToken>[1], secrets: Secrets) {
  const token = randomBytes(20).toString('hex');
  return {
    token_encrypted: sealToken(token, of, secrets),
    token_digest: secrets.digest(token),
  };
}

type Ending = { tx: Transaction; change: Change };
type Updating = Ending & { decide: DecideFields };

async function update(
  parts: RecordsParts,
  resource: Resource,
  said: Updating,
): Promise<StoredRecord | RecordRefusal> {
  const { secrets, ids } = parts;
  const { tx, change, decide } = said;
  const { act } = change;
  const before = await locked(tx, resource, { change, secrets });
  if (typeof before === 'string') return before;
  if (before.archived_at !== null) return 'archived';
  const fields = await decide(lookupIn(tx, act.organizationId), before);
  const of = { organization_id: act.organizationId, id: before.id };
  const columns = {
    ...columnsOf(resource, fields, { sql: tx, secrets, of }),
    ...(await revise(tx, ids, { act, before, fields, archived: false })),
  };
  const after = await rewrite(tx, resource, { id: before.id, act, secrets, columns, fields });
  await note(tx, { ids, resource, act, action: 'update', before, after });
  return after;
}

async function archive(parts: RecordsParts, resource: Resource, { tx, change }: Ending) {
  const before = await locked(tx, resource, { change, secrets: parts.secrets });
  if (typeof before === 'string') return before;
  const { act } = change;
  const record =
    before.archived_at === null ? await retire(parts, resource, { tx, act, before }) : before;
  if (typeof record === 'string') return record;
  const { organizationId } = act;
  const uses = await usesOf(tx, { organizationId, kind: resource.name, id: record.id });
  return { record, uses };
}

type Retiring = { tx: Transaction; act: Act; before: StoredRecord };

async function retire(parts: RecordsParts, resource: Resource, { tx, act, before }: Retiring) {
  const { secrets, ids } = parts;
  const to = before.fields['archive_replacement_policy_id'];
  const moved = typeof to === 'string' ? await replacePolicy(tx, before, { act, to }) : {};
  if (moved === 'replacement_not_active') return moved;
  const { fields } = before;
  const columns = {
    archived_at: act.now,
    ...(await revise(tx, ids, { act, before, fields, archived: true })),
  };
  const after = await rewrite(tx, resource, { id: before.id, act, secrets, columns, fields });
  await note(tx, { ids, resource, act, action: 'archive', before, after, moved });
  return after;
}

async function restore(parts: RecordsParts, resource: Resource, { tx, change }: Ending) {
  const { secrets, ids } = parts;
  const before = await locked(tx, resource, { change, secrets });
  if (typeof before === 'string' || before.archived_at === null) return before;
  const { act } = change;
  if (!(await isTeamActive(tx, act, before.team_id))) return 'team_archived';
  const { fields } = before;
  const columns = {
    archived_at: null,
    ...(await revise(tx, ids, { act, before, fields, archived: false })),
  };
  const after = await rewrite(tx, resource, { id: before.id, act, secrets, columns, fields });
  await note(tx, { ids, resource, act, action: 'restore', before, after });
  return after;
}

/** It stays so until the transaction ends. */
async function isTeamActive(tx: Transaction, { organizationId }: Act, id: string) {
  const rows = await tx`
    select from teams
    where organization_id = ${organizationId} and id = ${id} and archived_at is null
    for key share`;
  return rows.length > 0;
}

/** The record, held until the transaction ends. */
async function locked(
  tx: Transaction,
  resource: Resource,
  { change, secrets }: { change: Change; secrets: Secrets },
): Promise<StoredRecord | 'not_found' | 'stale_version'> {
  const row = await find(tx, resource, { key: change.key, scope: change.act, lock: true });
  if (row === undefined) return 'not_found';
  const record = recordOf(resource, row, secrets);
  const isStale = change.expectedVersion !== null && change.expectedVersion !== record.version;
  return isStale && record.archived_at === null ? 'stale_version' : record;
}

type Rewrite = {
  id: string;
  act: Act;
  secrets: Secrets;
  columns: Record<string, unknown>;
  /** All of them, as they are from now on. */
  fields: Fields;
};

async function rewrite(tx: Transaction, resource: Resource, { id, act, ...said }: Rewrite) {
  const columns = { ...said.columns, updated_at: act.now };
  const [row] = await tx`
    update ${tx(resource.table)} set ${tx(columns)}, version = version + 1
    where organization_id = ${act.organizationId} and id = ${id}
    returning ${tx(addedColumns(resource))}`;
  if (row === undefined) throw new Error(`${resource.table} lost the record ${id}`);
  return writtenRecord(resource, { row, fields: said.fields }, said.secrets);
}

type Noted = {
  ids: Ids;
  resource: Resource;
  act: Act;
  action: AuditedAction;
  before?: StoredRecord;
  after: StoredRecord;
  moved?: object;
};

async function note(tx: Transaction, { ids, resource, act, action, ...said }: Noted) {
  const shown = ({ fields, team_id, version, archived_at }: StoredRecord) => ({
    ...fields,
    team_id,
    version,
    ...(archived_at && { archived_at }),
  });
  await audit(tx, ids, {
    act,
    action,
    kind: resource,
    id: said.after.id,
    schema: resource.output,
    ...(said.before && { before: shown(said.before) }),
    after: { ...shown(said.after), ...said.moved },
  });
}
