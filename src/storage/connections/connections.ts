// Accounts at vendors by which an organization reaches people, as they are shown: without their secrets.
import type { HealthState } from '../../engine/sending/connection-health.ts';
import type { Settings } from '../../resources/connections/vendor.ts';
import { channelsOf, showsEnd, vendors } from '../../resources/connections/vendors.ts';
import { isObject } from '../../resources/declaration/is-object.ts';
import type { Queries } from '../database/database.ts';
import { timeText } from '../records/rows.ts';
import type { StoredSecrets } from './stored-secrets.ts';

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
    Record<string, { readonly set: true; readonly ends?: string; readonly set_at: string }>
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
        { set: true, ...(ends !== undefined && showsEnd(row.vendor, name) && { ends }), set_at },
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

/** Whether any organization has a connection, in use, to a vendor of this channel. */
export async function isConnectedAnywhere(sql: Queries, channel: string): Promise<boolean> {
  const serving = vendors.filter(({ channels }) => channels.some((one) => one === channel));
  const rows = await sql`
    select from channel_connections
    where vendor = any(${serving.map(({ vendor }) => vendor)}) and enabled and archived_at is null
    limit 1`;
  return rows.length > 0;
}

/** The channels that an organization reaches people by through its connections. */
export async function connectedChannels(
  sql: Queries,
  organizationId: string,
): Promise<readonly string[]> {
  const rows = await sql<{ vendor: string; settings: unknown }[]>`
    select vendor, settings from channel_connections
    where organization_id = ${organizationId} and enabled and archived_at is null`;
  return [...new Set(rows.flatMap(({ vendor, settings }) => channelsOf(vendor, settings)))];
}
