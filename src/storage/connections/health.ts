// How well connections work, as all servers know it.
import { type Circuit, closedCircuit } from '../../engine/sending/circuit.ts';
import {
  afterCheck,
  type Check,
  type Health,
  type HealthState,
  healthy,
} from '../../engine/sending/connection-health.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { type Queries, type Sql, type Transaction, transact } from '../database/database.ts';
import { hastenCheck } from './checks.ts';

export type ConnectionKey = { readonly organizationId: string; readonly connectionId: string };

export type StoredHealth = {
  readonly state: HealthState;
  readonly reason: string | null;
  readonly checked_at: Temporal.Instant;
  /** As JSON has them. */
  readonly failures: readonly string[];
  readonly open_until: Temporal.Instant | null;
  readonly failing_since: Temporal.Instant | null;
  readonly send_failed_at: Temporal.Instant | null;
};

type HealthRow = StoredHealth & {
  readonly connection_id: string;
  readonly account: string | null;
  readonly probe_until: Temporal.Instant | null;
};

const columns = (sql: Queries) => sql`
  connection_id, state, reason, account, checked_at, to_json(failures) as failures, open_until,
  probe_until, failing_since, send_failed_at`;

type StoredCircuit = Pick<HealthRow, 'failures' | 'open_until'> &
  Partial<Pick<HealthRow, 'probe_until'>>;

const circuitOf = ({ failures, open_until, probe_until = null }: StoredCircuit): Circuit => ({
  failures: failures.map((at) => Temporal.Instant.from(at)),
  openUntil: open_until,
  probeUntil: probe_until,
});

/** Of a channel without a connection nothing is ever probed: there is no other way. */
export const healthOf = (row: StoredHealth & StoredCircuit): Health => ({
  ...healthy,
  state: row.state,
  reason: row.reason,
  circuit: circuitOf(row),
  failingSince: row.failing_since,
  sendFailedAt: row.send_failed_at,
});

/** By connection. */
export async function readCircuits(
  sql: Queries,
  organizationId: string,
  connectionIds: readonly string[],
): Promise<(connectionId: string) => Circuit> {
  const rows = await sql<HealthRow[]>`
    select ${columns(sql)} from connection_health
    where organization_id = ${organizationId} and connection_id = any(${[...connectionIds]})`;
  const byId = new Map(rows.map((row) => [row.connection_id, circuitOf(row)]));
  return (id) => byId.get(id) ?? closedCircuit;
}

type Probe = ConnectionKey & { readonly now: Temporal.Instant; readonly until: Temporal.Instant };

/** False: another page tries the connection. */
export async function claimProbe(sql: Queries, probe: Probe): Promise<boolean> {
  const { organizationId, connectionId, now, until } = probe;
  const claimed = await sql`
    update connection_health set probe_until = ${until}
    where organization_id = ${organizationId} and connection_id = ${connectionId}
      and open_until <= ${now} and (probe_until is null or probe_until <= ${now})`;
  return claimed.count === 1;
}

type HealthNote = ConnectionKey & {
  readonly now: Temporal.Instant;
  /** What becomes of what is known. */
  readonly change: (health: Health) => Health;
  /** What the vendor calls the account, where it has told. */
  readonly account?: string;
};

export type HealthChange = { readonly before: Health; readonly after: Health };

/** What stays the same is noted once a minute, so that connections that work cost no commit each. */
export async function noteHealth(sql: Sql, note: HealthNote): Promise<HealthChange> {
  const { now, change, account } = note;
  const row = await rowOf(sql, note);
  const isAccountKnown = account === undefined || account === row?.account;
  if (row !== null && isRecent(row.checked_at, now) && isAccountKnown) {
    const before = healthOf(row);
    if (isEqual(change(before), before)) return { before, after: before };
  }
  return transact(sql, (tx) => changeHealth(tx, note));
}

export const isRecent = (at: Temporal.Instant, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(at, now.subtract({ minutes: 1 })) > 0;

type CheckNote = Omit<HealthNote, 'change'> & Check;

export const noteCheck = (sql: Sql, { reason, isByHand = false, ...note }: CheckNote) =>
  noteHealth(sql, {
    ...note,
    change: (health) => afterCheck(health, { reason, isByHand }, note.now),
  });

/** What is known of it says nothing any more. */
export async function forgetHealth(
  sql: Queries,
  { organizationId, connectionId }: ConnectionKey,
): Promise<void> {
  await sql`
    delete from connection_health
    where organization_id = ${organizationId} and connection_id = ${connectionId}`;
}

async function changeHealth(tx: Transaction, note: HealthNote): Promise<HealthChange> {
  const { organizationId, connectionId, now, change, account = null } = note;
  await tx`
    insert into connection_health (organization_id, connection_id, state, checked_at)
    values (${organizationId}, ${connectionId}, 'ok', ${now})
    on conflict (organization_id, connection_id) do nothing`;
  const row = await rowOf(tx, note, true);
  const before = row === null ? healthy : healthOf(row);
  const after = change(before);
  const { state, reason, failingSince, sendFailedAt, circuit } = after;
  const failures = circuit.failures.map(String);
  await tx`
    update connection_health
    set state = ${state}, reason = ${reason}, account = coalesce(${account}, account),
      checked_at = ${now}, failures = ${failures}::text[]::timestamptz[],
      open_until = ${circuit.openUntil}, probe_until = ${circuit.probeUntil},
      failing_since = ${failingSince}, send_failed_at = ${sendFailedAt}
    where organization_id = ${organizationId} and connection_id = ${connectionId}`;
  if (before.state === 'ok' && state !== 'ok')
    await hastenCheck(tx, note, now.add({ minutes: sendingLimits.checkFailingEvery }));
  return { before, after };
}

async function rowOf(
  sql: Queries,
  { organizationId, connectionId }: ConnectionKey,
  isLocked = false,
): Promise<HealthRow | null> {
  const [row] = await sql<HealthRow[]>`
    select ${columns(sql)} from connection_health
    where organization_id = ${organizationId} and connection_id = ${connectionId}
    ${isLocked ? sql`for update` : sql``}`;
  return row ?? null;
}

/** As JSON: both begin with the same fields. */
export const isEqual = (one: Health, other: Health): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
