// One store for all records: it reads the declaration. What one record alone does stands in
// `hooks.ts`.
import type { Ids } from '../../engine/ids.ts';
import { Unreadable } from '../../engine/unreadable.ts';
import type { ManagedBy } from '../../resources/declaration/managed-by.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { records } from '../../resources/index.ts';
import { integration } from '../../resources/integration.ts';
import { type Sql, type Transaction, transact } from '../database/database.ts';
import { type Act, type AuditedAction, audit } from '../organizations/audit.ts';
import type { Secrets } from '../sealed/secrets.ts';
import { hooksOf } from './hooks.ts';
import { rotatedToken, storeShortToken } from './integration-token.ts';
import { find, nextCounter, type RecordList, type Scope, select } from './queries.ts';
import type { Archiving, RecordChange, RecordWrite, Use } from './record-hooks.ts';
import {
  addedColumns,
  columnsOf,
  json,
  type RowReader,
  recordOf,
  type StoredRecord,
  type UnreadableRecord,
  writtenRecord,
} from './rows.ts';
import { type Lookup, lookupIn, usesOf } from './uses.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What can be wrong with the record a write is for. */
export type RecordRefusal =
  | 'not_found'
  | 'archived'
  | 'team_archived'
  | 'stale_version'
  | 'replacement_not_active';

export type Draft = {
  readonly teamId: string;
  readonly fields: Fields;
  readonly managedBy?: ManagedBy | null;
};
export type Change = {
  /** The id or the counter. */
  readonly key: string;
  readonly act: Act;
  readonly expectedVersion: number | null;
  /** Of an update, who manages the record from now on; absent: as before. */
  readonly managedBy?: ManagedBy | null;
};
export type Archived = {
  readonly record: StoredRecord;
  /** Active records that still point to it. */
  readonly uses: readonly Use[];
};
/** Decide what is stored, inside the transaction that stores it; throw to store nothing. */
export type DecideDraft = (lookup: Lookup) => Promise<Draft>;
export type DecideFields = (lookup: Lookup, before: StoredRecord) => Promise<Fields>;

export type RecordsParts = {
  readonly sql: Sql;
  readonly secrets: Secrets;
  readonly ids: Ids;
  /** All records that there are. */
  readonly declared?: readonly Resource[];
};

export type Records = ReturnType<typeof createRecords>;

export function createRecords({ declared = records, ...input }: RecordsParts) {
  const parts: Parts = { ...input, declared };
  const { sql } = parts;
  return {
    create: (resource: Resource, act: Act, decide: DecideDraft): Promise<StoredRecord> =>
      transact(sql, (tx) => insert(parts, resource, { tx, act, decide })),

    /** An archived record too. */
    async read(resource: Resource, key: string, scope: Scope) {
      const row = await find(sql, resource, { key, scope });
      return row && recordOf(readerOf(parts, resource), row);
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
          return recordOf(readerOf(parts, resource), row);
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

    /** Gives an integration another token; the one before it is accepted until that time. */
    rotateToken: (
      change: Change,
      previousExpiresAt: Temporal.Instant,
    ): Promise<StoredRecord | RecordRefusal> =>
      transact(sql, (tx) => rotateToken(parts, { tx, change, previousExpiresAt })),
  };
}

type Parts = Required<RecordsParts>;

const readerOf = ({ secrets }: Pick<Parts, 'secrets'>, resource: Resource): RowReader => ({
  resource,
  secrets,
  own: hooksOf(resource).columns,
});

type Insertion = { tx: Transaction; act: Act; decide: DecideDraft };

async function insert(parts: Parts, resource: Resource, { tx, act, decide }: Insertion) {
  const { secrets, ids, declared } = parts;
  const {
    teamId,
    fields,
    managedBy = null,
  } = await decide(lookupIn(tx, act.organizationId, declared));
  const of = { organization_id: act.organizationId, id: ids.next() };
  const { prepare, created } = hooksOf(resource);
  const write = { tx, act, secrets, ids };
  const row = {
    ...of,
    counter: await nextCounter(tx, act.organizationId, resource.name),
    version: 1,
    team_id: teamId,
    ...columnsOf(resource, fields, { sql: tx, secrets, of }),
    ...prepare?.(write, { id: of.id, fields }),
    created_at: act.now,
    updated_at: act.now,
    archived_at: null,
    managed_by: managedBy && json(tx, managedBy),
  };
  const reader = readerOf(parts, resource);
  const [stored] = await tx`
    insert into ${tx(resource.table)} ${tx(row)} returning ${tx(addedColumns(reader))}`;
  if (stored === undefined) throw new Error(`nothing was inserted into ${resource.table}`);
  const after = writtenRecord(reader, { row: stored, fields });
  // What is answered to the same request again is the record, not what comes with it.
  const { repeatable: _, ...own } = act;
  await created?.({ ...write, act: own }, after);
  await note(write, resource, { action: 'create', after });
  return after;
}

type Ending = { tx: Transaction; change: Change };
type Updating = Ending & { decide: DecideFields };

async function update(
  parts: Parts,
  resource: Resource,
  { tx, change, decide }: Updating,
): Promise<StoredRecord | RecordRefusal> {
  const before = await locked(tx, readerOf(parts, resource), change);
  if (typeof before === 'string') return before;
  if (before.archived_at !== null) return 'archived';
  const { act, managedBy = before.managed_by } = change;
  const fields = await decide(lookupIn(tx, act.organizationId, parts.declared), before);
  const of = { organization_id: act.organizationId, id: before.id };
  const columns = {
    ...columnsOf(resource, fields, { sql: tx, secrets: parts.secrets, of }),
    managed_by: managedBy && json(tx, managedBy),
  };
  const write = { tx, act, secrets: parts.secrets, ids: parts.ids };
  const after = await rewrite(write, resource, { before, columns, fields, archived: false });
  await note(write, resource, { action: 'update', before, after });
  return after;
}

async function archive(parts: Parts, resource: Resource, { tx, change }: Ending) {
  const { secrets, ids, declared } = parts;
  const before = await locked(tx, readerOf(parts, resource), change);
  if (typeof before === 'string') return before;
  const { act } = change;
  const used = { organizationId: act.organizationId, kind: resource.name, id: before.id };
  const archiving = { before, uses: () => usesOf(tx, used, declared) };
  const write = { tx, act, secrets, ids };
  const record = before.archived_at === null ? await retire(write, resource, archiving) : before;
  if (typeof record === 'string') return record;
  return { record, uses: await archiving.uses() };
}

async function retire(write: RecordWrite, resource: Resource, archiving: Archiving) {
  const moved = await hooksOf(resource).archiving?.(write, archiving);
  if (moved === 'replacement_not_active') return moved;
  const { before } = archiving;
  const { fields } = before;
  const columns = { archived_at: write.act.now };
  const after = await rewrite(write, resource, { before, columns, fields, archived: true });
  await note(write, resource, { action: 'archive', before, after, ...(moved && { moved }) });
  return after;
}

async function restore(parts: Parts, resource: Resource, { tx, change }: Ending) {
  const { secrets, ids } = parts;
  const before = await locked(tx, readerOf(parts, resource), change);
  if (typeof before === 'string' || before.archived_at === null) return before;
  const { act } = change;
  if (!(await isTeamActive(tx, act, before.team_id))) return 'team_archived';
  const { fields } = before;
  const write = { tx, act, secrets, ids };
  const columns = { archived_at: null };
  const after = await rewrite(write, resource, { before, columns, fields, archived: false });
  await note(write, resource, { action: 'restore', before, after });
  return after;
}

type Rotation = Ending & { previousExpiresAt: Temporal.Instant };

async function rotateToken(parts: Parts, { tx, change, previousExpiresAt }: Rotation) {
  const before = await locked(tx, readerOf(parts, integration), change);
  if (typeof before === 'string') return before;
  if (before.archived_at !== null) return 'archived';
  const { secrets, ids } = parts;
  const { fields } = before;
  const write = { tx, act: change.act, secrets, ids };
  const columns = rotatedToken(write, before, previousExpiresAt);
  const after = await rewrite(write, integration, { before, columns, fields, archived: false });
  await storeShortToken(write, after);
  await note(write, integration, { action: 'rotate_token', before, after });
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
  reader: RowReader,
  { key, act, expectedVersion }: Change,
): Promise<StoredRecord | 'not_found' | 'stale_version'> {
  const row = await find(tx, reader.resource, { key, scope: act, lock: true });
  if (row === undefined) return 'not_found';
  const record = recordOf(reader, row);
  const isStale = expectedVersion !== null && expectedVersion !== record.version;
  return isStale && record.archived_at === null ? 'stale_version' : record;
}

type Rewrite = RecordChange & {
  /** Values of the columns that change. */
  readonly columns: Readonly<Record<string, unknown>>;
};

async function rewrite(
  write: RecordWrite,
  resource: Resource,
  { columns, ...change }: Rewrite,
): Promise<StoredRecord> {
  const { tx, act } = write;
  const { id } = change.before;
  const own = await hooksOf(resource).changing?.(write, change);
  const changed = { ...columns, ...own, updated_at: act.now };
  const reader = readerOf(write, resource);
  const [row] = await tx`
    update ${tx(resource.table)} set ${tx(changed)}, version = version + 1
    where organization_id = ${act.organizationId} and id = ${id}
    returning ${tx(addedColumns(reader))}`;
  if (row === undefined) throw new Error(`${resource.table} lost the record ${id}`);
  return writtenRecord(reader, { row, fields: change.fields });
}

type RecordEntry = {
  readonly action: AuditedAction;
  readonly before?: StoredRecord;
  readonly after: StoredRecord;
  readonly moved?: object;
};

async function note(
  { tx, ids, act }: RecordWrite,
  resource: Resource,
  { action, before, after, moved }: RecordEntry,
) {
  const auditable = ({ fields, team_id, version, ...record }: StoredRecord) => {
    const { archived_at, managed_by, previous_token_expires_at } = record;
    return {
      ...fields,
      team_id,
      version,
      ...(archived_at && { archived_at }),
      ...(managed_by && { managed_by }),
      ...(previous_token_expires_at && { previous_token_expires_at }),
    };
  };
  await audit(tx, ids, {
    act,
    action,
    kind: resource,
    id: after.id,
    schema: resource.output,
    ...(before && { before: auditable(before) }),
    after: { ...auditable(after), ...moved },
  });
}
