// What the exchange of deduplication keys reads and writes. docs/decisions/0080-exchanged-keys.md.
import type { EventOfIncidents } from '../../engine/key-exchange.ts';
import type { AlertResult, EventOrderingKey } from '../../engine/ledger.ts';
import type { NewKey } from '../../incidents/former-keys.ts';
import type { Incident } from '../../incidents/incident.ts';
import { eventsLimits } from '../../limits/events.ts';
import { columnList } from '../columns.ts';
import type { Queries } from '../database.ts';
import { json } from '../records/rows.ts';
import type { LedgerContext } from './context.ts';
import { type EventRow, eventColumns, storedEvent } from './events.ts';
import { columns, type IncidentRow, readable } from './incidents.ts';

/** Each server of 0.1.0 holds one such connection as long as it runs; newer ones name theirs otherwise. */
const OLDER_SERVER = 'pager secret key';

/** Whether a server of the release before is connected to this database. */
export async function isOlderServerConnected(sql: Queries): Promise<boolean> {
  const rows = await sql`
    select from pg_stat_activity
    where datname = current_database() and application_name = ${OLDER_SERVER} limit 1`;
  return rows.length > 0;
}

export async function nextFormerKeys({ sql }: LedgerContext): Promise<EventOrderingKey | null> {
  if (await isOlderServerConnected(sql)) return null;
  const [row] = await sql<EventOrderingKey[]>`
    select organization_id, id as integration_id from integrations
    where former_keys order by organization_id, id limit 1
    for no key update skip locked`;
  return row ?? null;
}

export async function matchingIncidents(
  context: LedgerContext,
  { organization_id, integration_id }: EventOrderingKey,
): Promise<readonly Incident[]> {
  const { sql } = context;
  const rows = await sql<IncidentRow[]>`
    select ${columnList(sql, columns, 'i')} from incidents i
    where i.organization_id = ${organization_id} and i.source_integration_id = ${integration_id}
      and (i.status <> 'resolved' or i.merged_into_id is not null)
    order by i.id for update of i`;
  return readable(context, rows);
}

type Row = EventRow & { readonly alerts: readonly AlertResult[] };

export async function eventsOf(
  { sql }: LedgerContext,
  { organization_id, integration_id }: EventOrderingKey,
  incidents: readonly Incident[],
): Promise<readonly EventOfIncidents[]> {
  const ids = new Set(
    incidents.flatMap(({ id, merged_into_id: into }) => (into ? [id, into] : id)),
  );
  const rows = await sql<Row[]>`
    select ${eventColumns(sql)}, alerts from (
      select *, sum(octet_length(body)) over (order by id desc) as bytes from (
        select * from events
        where organization_id = ${organization_id} and integration_id = ${integration_id}
          and decided_at is not null and cut_from is null
        order by id desc limit ${eventsLimits.readAgain}
      ) newest
    ) counted
    where bytes <= ${eventsLimits.readAgainBytes} order by id desc`;
  return rows.flatMap(({ alerts, ...row }) => {
    const incidentIds = new Set(
      alerts.flatMap(({ incident_id: id }) => (id !== null && ids.has(id) ? [id] : [])),
    );
    return incidentIds.size === 0 ? [] : [{ event: storedEvent(row), incidentIds }];
  });
}

export async function exchangeKeys(
  { sql }: LedgerContext,
  { organization_id, integration_id }: EventOrderingKey,
  { keys, now }: { readonly keys: ReadonlyMap<string, NewKey>; readonly now: Temporal.Instant },
): Promise<void> {
  const rows = [...keys].map(([id, key]) => ({ id, ...key }));
  await sql`
    update incidents i set dedup_key = k.dedup_key, raw_key = coalesce(k.raw_key, i.raw_key)
    from json_to_recordset(${json(sql, rows)}) as k(id text, dedup_key text, raw_key text)
    where i.organization_id = ${organization_id} and i.id = k.id`;
  await sql`
    update integrations set former_keys = false, keys_exchanged_at = ${now}
    where organization_id = ${organization_id} and id = ${integration_id}`;
}
