// Connections are created, changed and archived, each with an entry of the audit log. No account is
// connected twice, and none is exchanged for another.
import { isDeepStrictEqual } from 'node:util';
import type { Ids } from '../../engine/ids.ts';
import { vendorNamed } from '../../resources/connections/vendors.ts';
import { anything } from '../../resources/declaration/field.ts';
import { type Sql, type Transaction, transact } from '../database/database.ts';
import { type Act, type AuditedAction, audit } from '../organizations/audit.ts';
import { lockOrganization } from '../people/users.ts';
import { json } from '../records/rows.ts';
import type { Secrets } from '../sealed/secrets.ts';
import { hastenCheck } from './checks.ts';
import {
  type Connection,
  type ConnectionFields,
  findConnection,
  listConnections,
} from './connections.ts';
import { forgetHealth } from './health.ts';
import { type StoredSecrets, sealAll, withReplaced } from './stored-secrets.ts';

/** The connection has that account already. */
export class AccountConnected extends Error {
  override readonly name = 'AccountConnected';
  readonly vendor: string;

  constructor(vendor: string) {
    super(`an account at ${vendor} is connected already`);
    this.vendor = vendor;
  }
}

/** What is written is of another account than the connection. */
export class OtherAccount extends Error {
  override readonly name = 'OtherAccount';
  readonly vendor: string;

  constructor(vendor: string) {
    super(`a connection stays with its account at ${vendor}`);
    this.vendor = vendor;
  }
}

const auditedConnection = {
  kind: 'channel_connection',
  schema: anything('Without secrets.'),
} as const;

type ConnectionWrite = {
  readonly act: Act;
  readonly ids: Ids;
  readonly secrets: Secrets;
};

type Written = ConnectionFields & {
  /** Those that are to be stored in the place of what is there. */
  readonly newSecrets: Readonly<Record<string, string>>;
  /** By name. */
  readonly removedSecrets: readonly string[];
};

type ConnectionCreation = ConnectionWrite & {
  readonly written: Written;
  readonly check: (others: readonly Connection[]) => void;
};

export function createConnection(sql: Sql, creation: ConnectionCreation): Promise<Connection> {
  const { act, ids, written } = creation;
  const { organizationId } = act;
  return transact(sql, async (tx) => {
    await lockOrganization(tx, organizationId);
    creation.check(await listConnections(tx, { organizationId, archived: false }));
    const id = ids.next();
    const sealed = sealAll(creation, id, written);
    const accountId = accountIdOf(written) ?? '';
    await refuseConnected(tx, { organizationId, id, vendor: written.vendor, accountId });
    await tx`
      insert into channel_connections (organization_id, id, version, name, vendor, account_id,
        position, enabled, settings, secrets, created_at, updated_at)
      values (${organizationId}, ${id}, 1, ${written.name}, ${written.vendor}, ${accountId},
        ${written.position}, ${written.enabled}, ${json(tx, written.settings)},
        ${json(tx, sealed)}, ${act.now}, ${act.now})`;
    await hastenCheck(tx, { organizationId, connectionId: id }, act.now);
    return audited(tx, { act, ids, action: 'create', id });
  });
}

type ConnectionChange = ConnectionWrite & {
  readonly id: string;
  readonly change: (before: Connection) => Written;
};

/** Null: no such connection. */
export function changeConnection(sql: Sql, options: ConnectionChange): Promise<Connection | null> {
  const { act, ids, id } = options;
  const { organizationId } = act;
  return transact(sql, async (tx) => {
    await lockOrganization(tx, organizationId);
    const before = await findConnection(tx, organizationId, id);
    if (before === null) return null;
    const written = options.change(before);
    const stored = await storedSecrets(tx, organizationId, id);
    const sealed = withReplaced(sealAll(options, id, written), stored, act.now);
    const { newSecrets, removedSecrets } = written;
    const hasNew =
      Object.keys(newSecrets).length + removedSecrets.length > 0 ||
      !isDeepStrictEqual(written.settings, before.settings);
    const accountId = accountIdOf(written);
    if (accountId !== null && (await storedAccountId(tx, organizationId, id)) !== accountId)
      throw new OtherAccount(written.vendor);
    await tx`
      update channel_connections set name = ${written.name}, position = ${written.position},
        enabled = ${written.enabled}, settings = ${json(tx, written.settings)},
        version = version + 1, updated_at = ${act.now},
        secrets = ((secrets::jsonb || ${json(tx, sealed)}::jsonb) - ${[...removedSecrets]}::text[])::json
      where organization_id = ${organizationId} and id = ${id}`;
    // What the vendor answered to the old credentials and settings says nothing of the new ones.
    if (hasNew) {
      await forgetHealth(tx, { organizationId, connectionId: id });
      await hastenCheck(tx, { organizationId, connectionId: id }, act.now);
    }
    return audited(tx, { act, ids, action: 'update', id, before });
  });
}

type ConnectionEnd = {
  readonly act: Act;
  readonly ids: Ids;
  readonly id: string;
  readonly isArchived: boolean;
  /** Of one that it changes, with the others that are active. */
  readonly check: (before: Connection, others: readonly Connection[]) => void;
};

/** Archives or restores one. Null: no such connection. The same answer when repeated. */
export function archiveConnection(sql: Sql, options: ConnectionEnd): Promise<Connection | null> {
  const { act, ids, id, isArchived } = options;
  const { organizationId } = act;
  return transact(sql, async (tx) => {
    await lockOrganization(tx, organizationId);
    const before = await findConnection(tx, organizationId, id);
    if (before === null || (before.archived_at !== undefined) === isArchived) return before;
    options.check(before, await listConnections(tx, { organizationId, archived: false }));
    if (!isArchived) {
      const accountId = await storedAccountId(tx, organizationId, id);
      await refuseConnected(tx, { organizationId, id, vendor: before.vendor, accountId });
    }
    await tx`
      update channel_connections set archived_at = ${isArchived ? act.now : null},
        updated_at = ${act.now}, version = version + 1
      where organization_id = ${organizationId} and id = ${id}`;
    return audited(tx, { act, ids, action: isArchived ? 'archive' : 'restore', id, before });
  });
}

/** Null: what is written does not tell. */
const accountIdOf = ({ vendor, settings, newSecrets }: Written): string | null =>
  vendorNamed(vendor)?.accountIdOf({ settings, secrets: newSecrets }) ?? null;

async function storedAccountId(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<string> {
  const [row] = await tx<{ account_id: string }[]>`
    select account_id from channel_connections
    where organization_id = ${organizationId} and id = ${id}`;
  return row?.account_id ?? '';
}

type Account = {
  readonly organizationId: string;
  readonly id: string;
  readonly vendor: string;
  readonly accountId: string;
};

async function refuseConnected(tx: Transaction, account: Account): Promise<void> {
  const [other] = await tx`
    select from channel_connections
    where organization_id = ${account.organizationId} and vendor = ${account.vendor}
      and account_id = ${account.accountId} and archived_at is null and id <> ${account.id}`;
  if (other !== undefined) throw new AccountConnected(account.vendor);
}

async function storedSecrets(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<StoredSecrets> {
  const [row] = await tx<{ secrets: StoredSecrets }[]>`
    select secrets from channel_connections
    where organization_id = ${organizationId} and id = ${id}`;
  return row?.secrets ?? {};
}

type Change = {
  readonly act: Act;
  readonly ids: Ids;
  readonly action: AuditedAction;
  readonly id: string;
  readonly before?: Connection;
};

async function audited(tx: Transaction, { act, ids, ...entry }: Change): Promise<Connection> {
  const after = await findConnection(tx, act.organizationId, entry.id);
  if (after === null) throw new Error(`connection ${entry.id} vanished while it was written`);
  await audit(tx, ids, { act, ...auditedConnection, ...entry, after });
  return after;
}
