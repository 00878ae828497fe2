// How much each integration stores in a day (UTC). Whoever decides events holds the lock of their
// integration, so its row makes nobody wait; in sum over an organization, others may have stored
// what they have not committed yet.
import type { EventOrderingKey } from '../../engine/ports/events.ts';
import type { Key } from '../../engine/ports/keys.ts';
import {
  dayOf,
  type SpentBytes,
  type StoredBytes,
  spentReason,
} from '../../engine/ports/stored-bytes.ts';
import type { Queries } from '../database/database.ts';
import { notifyOfUndecided } from '../outbox/admins.ts';
import { integrationName } from '../records/names.ts';
import { json } from '../records/rows.ts';
import type { LedgerContext } from './context.ts';
import { keyed } from './keys.ts';

export async function spentBytes(
  sql: Queries,
  keys: readonly Key[],
  now: Temporal.Instant,
): Promise<readonly SpentBytes[]> {
  const wanted = keys.map(({ organization_id, integration_id: id }) => ({ organization_id, id }));
  const organizations = [...new Set(keys.map(({ organization_id }) => organization_id))];
  const day = dayOf(now);
  return sql<SpentBytes[]>`
    select k.organization_id, k.id as integration_id,
      greatest(0, own.bytes)::float8 as integration,
      coalesce(spent.bytes, 0)::float8 as organization,
      coalesce(own.cut_events, 0)::float8 as "cutEvents",
      coalesce(own.rows, '{}'::json) as rows
    from ${keyed(sql, wanted)}
    left join stored_bytes own on own.organization_id = k.organization_id
      and own.integration_id = k.id and own.day >= ${day}::date
    left join (
      select o.id, sum(greatest(0, s.bytes)) as bytes from unnest(${organizations}::text[]) as o (id)
      cross join lateral (
        select bytes from stored_bytes where organization_id = o.id and day >= ${day}::date
      ) s
      group by o.id
    ) spent on spent.id = k.organization_id
    order by k.id`;
}

/** In the order of ids, so that two transactions never wait for each other. */
export async function countBytes(
  { sql }: LedgerContext,
  stored: readonly StoredBytes[],
  now: Temporal.Instant,
): Promise<void> {
  if (stored.length === 0) return;
  const rows = stored
    .toSorted((a, b) => (a.integration_id < b.integration_id ? -1 : 1))
    .map(({ cutEvents, ...row }) => ({
      ...row,
      day: dayOf(now),
      cut_events: cutEvents,
      cut_at: cutEvents > 0 ? now : null,
    }));
  // Another server may have begun the next day already.
  await sql`
    insert into stored_bytes as s
      (organization_id, integration_id, day, bytes, cut_events, cut_at, rows)
    select organization_id, integration_id, day, bytes, cut_events, cut_at, rows
    from json_populate_recordset(null::stored_bytes, ${json(sql, rows)})
    on conflict (organization_id, integration_id) do update set
      day = greatest(s.day, excluded.day),
      bytes = greatest(0, excluded.bytes
        + case when s.day >= excluded.day then greatest(0, s.bytes) else 0 end),
      cut_events = excluded.cut_events
        + case when s.day >= excluded.day then s.cut_events else 0 end,
      cut_at = coalesce(excluded.cut_at, s.cut_at),
      rows = case when s.day >= excluded.day
        then (s.rows::jsonb || excluded.rows::jsonb)::json else excluded.rows end`;
}

export async function undecidedBytes(
  { sql }: LedgerContext,
  { organization_id, integration_id }: EventOrderingKey,
): Promise<number> {
  // The length of a text is known without unpacking it.
  const [row] = await sql<{ bytes: number }[]>`
    select coalesce(sum(octet_length(body)), 0)::float8 as bytes from events
    where organization_id = ${organization_id} and integration_id = ${integration_id}
      and decided_at is null`;
  return row?.bytes ?? 0;
}

export async function notifyOfCutEvents(
  context: LedgerContext,
  { organization_id, integration_id: id }: EventOrderingKey,
  now: Temporal.Instant,
): Promise<void> {
  const [row] = await context.sql<{ team_id: string; name: string }[]>`
    select team_id, ${integrationName(context.sql)} as name from integrations
    where organization_id = ${organization_id} and id = ${id}`;
  if (row === undefined) return;
  const { team_id, name } = row;
  const cut = { of: 'storage', id, name, reason: spentReason(now) } as const;
  await notifyOfUndecided(context, { organization_id, team_id, since: dayOf(now), ...cut }, now);
}
