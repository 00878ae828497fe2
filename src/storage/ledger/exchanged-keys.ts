// What the exchange of deduplication keys reads and writes. docs/decisions/0080-exchanged-keys.md.
import type { DecidedEvent, EventWindow } from '../../engine/key-exchange.ts';
import type { Servers } from '../../engine/older-servers.ts';
import type { AlertResult, EventOrderingKey } from '../../engine/ports/events.ts';
import type { ExchangedKeys } from '../../engine/store-replayed-keys.ts';
import type { MatchingIncident } from '../../incidents/replayed-keys.ts';
import { eventsLimits } from '../../limits/events.ts';
import type { Queries } from '../database/database.ts';
import { json } from '../records/rows.ts';
import { KEY_LOCK_NAME } from '../sealed/key-lock.ts';
import type { LedgerContext } from './context.ts';
import { type EventRow, eventColumns, storedEvent } from './events.ts';
import { newestFirst } from './incident-rows.ts';

/** Each server of 0.1.0 holds one such connection as long as it runs. */
const OLDER_SERVER = 'pager secret key';

/** Whether servers of the release before are connected, and since when newer ones are. */
export async function connectedServers({ sql }: { readonly sql: Queries }): Promise<Servers> {
  const [row] = await sql<Servers[]>`
    select coalesce(bool_or(application_name = ${OLDER_SERVER}), false) as older,
      min(backend_start) filter (where application_name = ${KEY_LOCK_NAME}) as since
    from pg_stat_activity where datname = current_database()`;
  return row ?? { older: false, since: null };
}

/** The one that waits longest, of those that are not to wait until after an instant. */
export async function nextFormerKeys(
  context: LedgerContext,
  now: Temporal.Instant,
): Promise<EventOrderingKey | null> {
  const [row] = await context.sql<EventOrderingKey[]>`
    select organization_id, id as integration_id from integrations
    where former_keys and (keys_next_try_at is null or keys_next_try_at <= ${now})
    order by keys_next_try_at nulls first, organization_id, id limit 1`;
  if (row === undefined || (await connectedServers(context)).older) return null;
  return row;
}

/** The lock that deciding events takes. False: the keys are exchanged, or cannot be now. */
export async function lockFormerKeys(
  context: LedgerContext,
  { organization_id, integration_id }: EventOrderingKey,
): Promise<boolean> {
  const rows = await context.sql`
    select from integrations
    where organization_id = ${organization_id} and id = ${integration_id} and former_keys
    for no key update`;
  return rows.length > 0 && !(await connectedServers(context)).older;
}

export async function matchingIncidents(
  { sql }: LedgerContext,
  { organization_id, integration_id }: EventOrderingKey,
): Promise<readonly MatchingIncident[]> {
  return await sql<MatchingIncident[]>`
    select i.id, i.status, i.dedup_key, i.merged_into_id, i.suppressed_count, exists (
        select from incidents m
        where m.organization_id = i.organization_id and m.merged_into_id = i.id
      ) as "hasMerged"
    from incidents i
    left join incidents t on t.organization_id = i.organization_id and t.id = i.merged_into_id
    where i.organization_id = ${organization_id} and i.source_integration_id = ${integration_id}
      and (i.status <> 'resolved' or i.merged_into_id is not null)
      -- What leads to a resolved incident matches nothing.
      and (i.status <> 'resolved' or t.status <> 'resolved' or t.merged_into_id is not null)
    order by ${newestFirst(sql)} limit ${eventsLimits.exchangedIncidents}`;
}

type Row = EventRow & { readonly alerts: readonly AlertResult[] };

/** The newest that are stored whole, the oldest of them first. */
export async function eventsReadAgain(
  { sql }: LedgerContext,
  { organization_id, integration_id }: EventOrderingKey,
  known: ReadonlySet<string>,
): Promise<EventWindow> {
  const window = await sql<{ id: string }[]>`
    select id from (
      select id, received_at, sum(bytes) over (order by id desc) as bytes from (
        select id, received_at, octet_length(body) as bytes from events
        where organization_id = ${organization_id} and integration_id = ${integration_id}
          and decided_at is not null and cut_from is null
        order by id desc limit ${eventsLimits.readAgain}
      ) newest
    ) counted
    -- Ids of two servers in one second are in no order.
    where bytes <= ${eventsLimits.readAgainBytes} order by received_at, id`;
  const ids = window.map(({ id }) => id);
  const unread = ids.filter((id) => !known.has(id));
  if (unread.length === 0) return { ids, unread: [] };
  const rows = await sql<Row[]>`
    select ${eventColumns(sql)}, alerts from events
    where organization_id = ${organization_id} and integration_id = ${integration_id}
      and id = any(${unread})
    order by received_at, id`;
  return {
    ids,
    unread: rows.map(({ alerts, ...row }): DecidedEvent => ({ event: storedEvent(row), alerts })),
  };
}

export async function storeKeys(
  { sql }: LedgerContext,
  { organization_id, integration_id }: EventOrderingKey,
  { keys, now }: ExchangedKeys,
): Promise<void> {
  const rows = [...keys].map(([id, key]) => ({ id, ...key }));
  await sql`
    update incidents i set dedup_key = k.dedup_key, raw_key = coalesce(i.raw_key, k.raw_key),
      has_exchanged_key = true
    from json_to_recordset(${json(sql, rows)}) as k(id text, dedup_key text, raw_key text)
    where i.organization_id = ${organization_id} and i.id = k.id`;
  await sql`
    update integrations
    set former_keys = false, keys_exchanged_at = ${now}, keys_next_try_at = null
    where organization_id = ${organization_id} and id = ${integration_id}`;
}

export async function postponeKeys(
  { sql }: LedgerContext,
  { organization_id, integration_id }: EventOrderingKey,
  until: Temporal.Instant,
): Promise<void> {
  await sql`
    update integrations set keys_next_try_at = ${until}
    where organization_id = ${organization_id} and id = ${integration_id} and former_keys`;
}
