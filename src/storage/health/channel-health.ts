// The health of built-in channels, shared by all servers, and which server checks the mail server when.
import type { ChannelService, Health } from '../../engine/sending/connection-health.ts';
import { healthy } from '../../engine/sending/connection-health.ts';
import { sendingLimits } from '../../limits/sending.ts';
import {
  type HealthChange,
  healthOf,
  isEqual,
  isRecent,
  type StoredHealth,
} from '../connections/health.ts';
import { type Queries, type Sql, type Transaction, transact } from '../database/database.ts';

type ChannelNote = {
  readonly of: ChannelService;
  readonly now: Temporal.Instant;
  /** From the state before to the state after. */
  readonly change: (health: Health) => Health;
};

/** What stays the same is noted once a minute, so that channels that work cost no commit each. */
export async function noteChannelHealth(sql: Sql, note: ChannelNote): Promise<HealthChange> {
  const { of, now, change } = note;
  const row = await rowOf(sql, of);
  if (row !== null && isRecent(row.checked_at, now)) {
    const before = healthOf(row);
    if (isEqual(change(before), before)) return { before, after: before };
  }
  return transact(sql, (tx) => changeHealth(tx, note));
}

async function changeHealth(tx: Transaction, { of, now, change }: ChannelNote) {
  const { organizationId, channel, service } = of;
  await tx`
    insert into channel_health (organization_id, channel, service, state, checked_at)
    values (${organizationId}, ${channel}, ${service}, 'ok', ${now})
    on conflict (organization_id, channel, service) do nothing`;
  const row = await rowOf(tx, of, true);
  const before = row === null ? healthy : healthOf(row);
  const after = change(before);
  const { state, reason, failingSince, sendFailedAt, circuit } = after;
  await tx`
    update channel_health
    set state = ${state}, reason = ${reason}, checked_at = ${now},
      failures = ${circuit.failures.map(String)}::text[]::timestamptz[],
      open_until = ${circuit.openUntil}, failing_since = ${failingSince},
      send_failed_at = ${sendFailedAt}
    where ${isOf(tx, of)}`;
  if (organizationId === null && before.state === 'ok' && state !== 'ok')
    await hastenCheck(tx, channel, now.add({ minutes: sendingLimits.checkFailingEvery }));
  return { before, after };
}

/** With `is not distinct from`, no index would be used. */
const isOf = (sql: Queries, { organizationId, channel, service }: ChannelService) => sql`
  ${organizationId === null ? sql`organization_id is null` : sql`organization_id = ${organizationId}`}
  and channel = ${channel} and service = ${service}`;

const columns = (sql: Queries) => sql`
  state, reason, checked_at, to_json(failures) as failures, open_until, failing_since, send_failed_at`;

async function rowOf(
  sql: Queries,
  of: ChannelService,
  isLocked = false,
): Promise<StoredHealth | null> {
  const [row] = await sql<StoredHealth[]>`
    select ${columns(sql)} from channel_health
    where ${isOf(sql, of)} ${isLocked ? sql`for update` : sql``}`;
  return row ?? null;
}

export type ChannelHealth = Pick<
  StoredHealth,
  'state' | 'reason' | 'checked_at' | 'failing_since'
> & { readonly channel: string };

/** By channel, the state of the service that works worst for the organization. */
export async function readChannelHealth(
  sql: Queries,
  organizationId: string,
): Promise<ReadonlyMap<string, ChannelHealth>> {
  const rows = await sql<ChannelHealth[]>`
    select distinct on (channel) channel, state, reason, checked_at, failing_since
    from channel_health where organization_id = ${organizationId} or organization_id is null
    order by channel, state = 'failing' desc, state = 'degraded' desc, failing_since,
      checked_at desc`;
  return new Map(rows.map((row) => [row.channel, row]));
}

/** By channel, how many services are failing; the mail server counts as one. */
export async function countFailing(sql: Queries): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ channel: string; count: number }[]>`
    select channel, count(*)::integer as count from channel_health
    where failing_since is not null group by channel`;
  return new Map(rows.map(({ channel, count }) => [channel, count]));
}

/** It is not set up any more, so it fails for nobody. */
export async function forgetChannel(sql: Queries, channel: string): Promise<void> {
  await sql`delete from channel_health where channel = ${channel}`;
}

/** A state that no notice renews is forgotten. A notice is tried for a day. */
const forgottenAfter = { hours: 25 } as const;

export async function removeOldHealth(sql: Queries, now: Temporal.Instant): Promise<number> {
  const before = now.subtract(forgottenAfter);
  const health = await sql`
    delete from channel_health where organization_id is not null and checked_at <= ${before}`;
  const notices = await sql`delete from channel_notices where notified_at <= ${before}`;
  return health.count + notices.count;
}

type CheckClaim = { readonly now: Temporal.Instant; readonly until: Temporal.Instant };

/** Whether a check is due, which this server alone then makes. */
export async function claimChannelCheck(
  sql: Queries,
  channel: string,
  { now, until }: CheckClaim,
): Promise<boolean> {
  const claimed = await sql`
    insert into channel_checks as k (channel, check_at) values (${channel}, ${until})
    on conflict (channel) do update set check_at = excluded.check_at where k.check_at <= ${now}`;
  return claimed.count === 1;
}

export async function planChannelCheck(
  sql: Queries,
  channel: string,
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into channel_checks (channel, check_at) values (${channel}, ${at})
    on conflict (channel) do update set check_at = excluded.check_at`;
}

const hastenCheck = (sql: Queries, channel: string, at: Temporal.Instant) => sql`
  insert into channel_checks as k (channel, check_at) values (${channel}, ${at})
  on conflict (channel) do update set check_at = least(k.check_at, excluded.check_at)`;
