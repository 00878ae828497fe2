// Accounts at vendors by which an organisation reaches people, with their secrets sealed.
import type { Ids } from '../../engine/ids.ts';
import type { HealthState } from '../../engine/sending/connection-health.ts';
import { accessLimits } from '../../limits/access.ts';
import type { Settings } from '../../resources/connections/vendor.ts';
import { channelsOf, storedSettings, vendorNamed } from '../../resources/connections/vendors.ts';
import { anything } from '../../resources/declaration/field.ts';
import { isObject } from '../../resources/declaration/validate.ts';
import { type Act, type AuditedAction, audit } from '../audit.ts';
import { type Queries, type Sql, type Transaction, transact } from '../database.ts';
import { lockOrganization } from '../people/users.ts';
import { json, timeText } from '../records/rows.ts';
import { rowContext } from '../sealed/sealed-columns.ts';
import type { Secrets } from '../secrets.ts';
import { hastenCheck } from './checks.ts';

type StoredSecret = {
  readonly sealed: string;
  readonly ends: string;
  readonly set_at: string;
  /** The one before it, by which what the vendor signs may still be verified. */
  readonly replaced?: { readonly sealed: string; readonly until: string };
};
type StoredSecrets = Readonly<Record<string, StoredSecret>>;

export type ConnectionFields = {
  readonly name: string;
  readonly vendor: string;
  readonly position: number;
  readonly enabled: boolean;
  readonly settings: Settings;
};

export type Connection = ConnectionFields & {
  readonly id: string;
  readonly version: number;
  readonly channels: readonly string[];
  /** Without their text. */
  readonly secrets: Readonly<
    Record<string, { readonly set: true; readonly ends: string; readonly set_at: string }>
  >;
  readonly account?: string;
  readonly health: {
    readonly state: 'unchecked' | HealthState;
    readonly reason?: string;
    readonly checked_at?: string;
    readonly failing_since?: string;
    readonly circuit_open_until?: string;
  };
  readonly created_at: string;
  readonly updated_at: string;
  readonly archived_at?: string;
};

type ConnectionRow = Omit<ConnectionFields, 'settings'> & {
  readonly id: string;
  readonly version: number;
  readonly settings: unknown;
  readonly secrets: StoredSecrets;
  readonly state: HealthState | null;
  readonly reason: string | null;
  readonly account: string | null;
  readonly checked_at: Temporal.Instant | null;
  readonly failing_since: Temporal.Instant | null;
  readonly open_until: Temporal.Instant | null;
  readonly created_at: Temporal.Instant;
  readonly updated_at: Temporal.Instant;
  readonly archived_at: Temporal.Instant | null;
};

function connectionOf(row: ConnectionRow): Connection {
  const { state, reason, account, checked_at, failing_since, open_until, ...rest } = row;
  const { archived_at, secrets, ...own } = rest;
  return {
    ...own,
    channels: channelsOf(row.vendor, row.settings),
    settings: isObject(row.settings) ? row.settings : {},
    secrets: Object.fromEntries(
      Object.entries(secrets).map(([name, { ends, set_at }]) => [
        name,
        { set: true, ends, set_at },
      ]),
    ),
    ...(account !== null && { account }),
    health: {
      state: state ?? 'unchecked',
      ...(reason !== null && { reason }),
      ...(checked_at && { checked_at: timeText(checked_at) }),
      ...(failing_since && { failing_since: timeText(failing_since) }),
      ...(open_until && { circuit_open_until: timeText(open_until) }),
    },
    created_at: timeText(row.created_at),
    updated_at: timeText(row.updated_at),
    ...(archived_at && { archived_at: timeText(archived_at) }),
  };
}

const columns = (sql: Queries) => sql`
  c.id, c.version, c.name, c.vendor, c.position, c.enabled, c.settings, c.secrets, h.state, h.reason, h.account,
  h.checked_at, h.failing_since, h.open_until, c.created_at, c.updated_at, c.archived_at`;

const rowsOf = (sql: Queries) => sql`
  channel_connections c left join connection_health h
    on h.organization_id = c.organization_id and h.connection_id = c.id`;

export async function findConnection(
  sql: Queries,
  organizationId: string,
  id: string,
): Promise<Connection | null> {
  const [row] = await sql<ConnectionRow[]>`
    select ${columns(sql)} from ${rowsOf(sql)}
    where c.organization_id = ${organizationId} and c.id = ${id}`;
  return row ? connectionOf(row) : null;
}

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

/** In the order in which they are used. */
export async function listConnections(
  sql: Queries,
  { organizationId, archived }: { readonly organizationId: string; readonly archived: boolean },
): Promise<readonly Connection[]> {
  const rows = await sql<ConnectionRow[]>`
    select ${columns(sql)} from ${rowsOf(sql)}
    where c.organization_id = ${organizationId}
      and c.archived_at is ${archived ? sql`not null` : sql`null`}
    order by c.position, c.id`;
  return rows.map(connectionOf);
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
    const sealed = sealAll(creation, id, written.newSecrets);
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
    const sealed = withReplaced(sealAll(options, id, written.newSecrets), stored, act.now);
    const { newSecrets, removedSecrets } = written;
    const hasNew = Object.keys(newSecrets).length + removedSecrets.length > 0;
    const accountId = accountIdOf(written);
    if (accountId !== null && (await storedAccountId(tx, organizationId, id)) !== accountId)
      throw new OtherAccount(written.vendor);
    await tx`
      update channel_connections set name = ${written.name}, position = ${written.position},
        enabled = ${written.enabled}, settings = ${json(tx, written.settings)},
        version = version + 1, updated_at = ${act.now},
        secrets = ((secrets::jsonb || ${json(tx, sealed)}::jsonb) - ${[...removedSecrets]}::text[])::json
      where organization_id = ${organizationId} and id = ${id}`;
    // What the vendor answered to the old credentials says nothing of the new ones.
    if (hasNew) {
      await tx`
        delete from connection_health
        where organization_id = ${organizationId} and connection_id = ${id}`;
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

function sealAll(
  { secrets, act }: ConnectionWrite,
  id: string,
  texts: Readonly<Record<string, string>>,
): StoredSecrets {
  const context = rowContext('channel_connections.secrets', act.organizationId, id);
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      { sealed: secrets.seal(text, context), ends: text.slice(-4), set_at: timeText(act.now) },
    ]),
  );
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

/** Vendors sign with the old secret until the new one is in use there. */
function withReplaced(
  sealed: StoredSecrets,
  stored: StoredSecrets,
  now: Temporal.Instant,
): StoredSecrets {
  const until = timeText(now.add({ hours: accessLimits.replacedSecretHours }));
  const entries = Object.entries(sealed).map(([name, secret]) => {
    const before = stored[name];
    return [name, before ? { ...secret, replaced: { sealed: before.sealed, until } } : secret];
  });
  return Object.fromEntries(entries);
}

/** Those that verify nothing any more. */
export async function removeReplacedSecrets(sql: Queries, now: Temporal.Instant): Promise<number> {
  const { count } = await sql`
    update channel_connections c set secrets = (
      select json_object_agg(key, case
        when (value -> 'replaced' ->> 'until')::timestamptz <= ${now} then value - 'replaced'
        else value end)
      from jsonb_each(c.secrets::jsonb))
    where exists (
      select from jsonb_each(c.secrets::jsonb)
      where (value -> 'replaced' ->> 'until')::timestamptz <= ${now})`;
  return count;
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

/** One that is used, with its secrets and its settings, of which none that has a default is absent. */
export type OpenConnection = {
  readonly organization_id: string;
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly settings: Settings;
  readonly secrets: Readonly<Record<string, string>>;
};

/** With those secrets that were replaced a short time ago, which verify and send nothing. */
export type CalledConnection = OpenConnection & {
  readonly replacedSecrets: Readonly<Record<string, string>>;
};

type OpenRow = Omit<OpenConnection, 'settings' | 'secrets'> & {
  readonly settings: unknown;
  readonly secrets: StoredSecrets;
};

/** Null: its settings cannot be read, or its secrets were sealed with a key that is lost. */
function opened(secrets: Secrets, row: OpenRow): OpenConnection | null {
  const context = rowContext('channel_connections.secrets', row.organization_id, row.id);
  const settings = storedSettings(row.vendor, row.settings);
  if (settings === null) return null;
  try {
    return {
      ...row,
      settings,
      secrets: openAll(row.secrets, (sealed) => secrets.open(sealed, context)),
    };
  } catch {
    return null;
  }
}

const openAll = (stored: StoredSecrets, open: (sealed: string) => string) =>
  Object.fromEntries(Object.entries(stored).map(([name, { sealed }]) => [name, open(sealed)]));

const openColumns = (sql: Queries) => sql`organization_id, id, name, vendor, settings, secrets`;

/** Null: it is not there, or it cannot be read. */
export async function openConnection(
  { sql, secrets }: { readonly sql: Queries; readonly secrets: Secrets },
  organizationId: string,
  id: string,
): Promise<OpenConnection | null> {
  const [row] = await sql<OpenRow[]>`
    select ${openColumns(sql)} from channel_connections
    where organization_id = ${organizationId} and id = ${id}`;
  return row ? opened(secrets, row) : null;
}

/** The same by its id alone, as whoever calls in its name needs it; archived ones are left out. */
export async function openCalledConnection(
  { sql, secrets }: { readonly sql: Queries; readonly secrets: Secrets },
  id: string,
  now: Temporal.Instant,
): Promise<CalledConnection | null> {
  const [row] = await sql<OpenRow[]>`
    select ${openColumns(sql)} from channel_connections
    where id = ${id} and archived_at is null`;
  const connection = row ? opened(secrets, row) : null;
  if (row === undefined || connection === null) return null;
  const context = rowContext('channel_connections.secrets', row.organization_id, row.id);
  const lasts = (until: string) => Temporal.Instant.compare(Temporal.Instant.from(until), now) > 0;
  const replaced = Object.entries(row.secrets).flatMap(([name, { replaced }]) =>
    replaced && lasts(replaced.until) ? [[name, secrets.open(replaced.sealed, context)]] : [],
  );
  return { ...connection, replacedSecrets: Object.fromEntries(replaced) };
}

/** Those of an organisation that are used and can be opened, in their order. */
export async function openConnectionsOf(
  { sql, secrets }: { readonly sql: Queries; readonly secrets: Secrets },
  organizationId: string,
  vendors: string | readonly string[],
): Promise<readonly OpenConnection[]> {
  const rows = await sql<OpenRow[]>`
    select ${openColumns(sql)} from channel_connections
    where organization_id = ${organizationId} and vendor = any(${[vendors].flat()})
      and enabled and archived_at is null
    order by position, id`;
  return rows.flatMap((row) => opened(secrets, row) ?? []);
}

/** The channels that an organisation reaches people by through its connections. */
export async function connectedChannels(
  sql: Queries,
  organizationId: string,
): Promise<readonly string[]> {
  const rows = await sql<{ vendor: string; settings: unknown }[]>`
    select vendor, settings from channel_connections
    where organization_id = ${organizationId} and enabled and archived_at is null`;
  return [...new Set(rows.flatMap(({ vendor, settings }) => channelsOf(vendor, settings)))];
}
