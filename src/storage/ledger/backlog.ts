// Whose stored events are decided next. What this costs depends on how many organisations and
// integrations have any, not on how many events wait: the index is entered anew for each of them.
import type { Fragment } from 'postgres';
import type { BacklogRoundRobin } from '../../engine/intake/backlog-round-robin.ts';
import type { EventOrderingKey, StoredEvent } from '../../engine/ports/events.ts';
import type { Transaction } from '../database/database.ts';
import type { LedgerContext } from './context.ts';
import { type EventRow, eventColumns, storedEvent } from './events.ts';

/** Bodies of one batch. An event more is read, however large it is: one at least. */
const bytesAtOnce = 4 * 1024 * 1024;
/** How many are tried in one turn for one that no other process decides; the next turn continues. */
const organizationsPerTurn = 20;
const integrationsPerTurn = 20;

type BacklogParams = { readonly limit: number; readonly again?: EventOrderingKey | undefined };

/**
 * The oldest undecided events of the integration whose turn it is. Its lock comes first and is
 * skipped when another process holds it, so that order is kept and nobody waits.
 */
export async function backlog(
  context: LedgerContext,
  turns: BacklogRoundRobin,
  { limit, again }: BacklogParams,
): Promise<readonly StoredEvent[]> {
  const same =
    again && (await lockAgain(context, again)) ? await oldestOf(context, again, limit) : [];
  if (same.length > 0) return same;
  for (const organizationId of await waitingOrganizations(context, turns.organization)) {
    const last = turns.integrationOf(organizationId);
    const integrationId = await lockWaiting(context, organizationId, last);
    turns.passed(organizationId, integrationId);
    if (integrationId === null) continue;
    const queue = { organization_id: organizationId, integration_id: integrationId };
    return oldestOf(context, queue, limit);
  }
  return [];
}

/** False: another process decides them now. */
async function lockAgain({ sql }: LedgerContext, queue: EventOrderingKey): Promise<boolean> {
  const rows = await sql`
    select from integrations
    where organization_id = ${queue.organization_id} and id = ${queue.integration_id}
    for no key update skip locked`;
  return rows.length > 0;
}

async function waitingOrganizations(
  { sql }: LedgerContext,
  last: string,
): Promise<readonly string[]> {
  const column = sql`organization_id`;
  const rows = await sql<{ id: string }[]>`
    with recursive ${ring(sql, { column, last, within: sql`true` })}
    select id from ring where turn > 0 limit ${organizationsPerTurn}::int`;
  return rows.map((row) => row.id);
}

/** The next one that is free, locked. */
async function lockWaiting(
  { sql }: LedgerContext,
  organizationId: string,
  last: string,
): Promise<string | null> {
  const column = sql`integration_id`;
  const within = sql`organization_id = ${organizationId}`;
  const [free] = await sql<{ id: string }[]>`
    with recursive ${ring(sql, { column, last, within })},
    waiting as materialized (select id, turn from ring where turn > 0 limit ${integrationsPerTurn}::int)
    select i.id from waiting w
    join integrations i on i.organization_id = ${organizationId} and i.id = w.id
    order by w.turn limit 1 for no key update of i skip locked`;
  return free?.id ?? null;
}

type Ring = {
  readonly column: Fragment;
  readonly last: string;
  /** Which events count. */
  readonly within: Fragment;
};

/** What of undecided events stands in the column: whatever comes after the last, then around. */
const ring = (sql: Transaction, { column, last, within }: Ring) => sql`
  ring (id, wrapped, turn) as (
    select ${last}::text collate "C", false, 0
    union all
    select found.id, found.wrapped, ring.turn + 1
    from ring cross join lateral (
      (
        select ${column}::text as id, ring.wrapped from events
        where decided_at is null and ${within} and ${column} > ring.id
        order by ${column} limit 1
      )
      union all
      (
        select ${column}::text, true from events
        where decided_at is null and ${within} and not ring.wrapped
        order by ${column} limit 1
      )
      limit 1
    ) found
    where not (found.wrapped and found.id > ${last})
  )`;

async function oldestOf(
  { sql }: LedgerContext,
  { organization_id, integration_id }: EventOrderingKey,
  limit: number,
): Promise<readonly StoredEvent[]> {
  // The length of a text is known without unpacking it.
  const rows = await sql<EventRow[]>`
    select ${eventColumns(sql)} from (
      select *, sum(octet_length(body)) over (order by received_at, id) as bytes
      from events
      where organization_id = ${organization_id} and integration_id = ${integration_id}
        and decided_at is null
      order by received_at, id limit ${limit}
    ) oldest
    where bytes - octet_length(body) < ${bytesAtOnce} order by received_at, id`;
  return rows.map(storedEvent);
}
