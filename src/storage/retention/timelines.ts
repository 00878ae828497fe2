// Timelines go from their first entry on, and leave a sealed note of how far: the audit goes on
// from there, so that a removal is told apart from tampering. docs/decisions/0022-retention.md
import { firstIdAt } from '../../engine/ids.ts';
import { type Sql, type Transaction, transact } from '../database/database.ts';
import { type ChainedEntry, type End, noMac, removalSealOf } from '../ledger/chain.ts';
import { follows } from '../ledger-audit/links.ts';
import { json } from '../records/rows.ts';
import type { Secrets } from '../sealed/secrets.ts';
import { isIncidentOpen } from './open-incident.ts';
import { noteRemoval, type Outdated } from './removals.ts';

type Parts = { readonly sql: Sql; readonly secrets: Secrets };
type Removing = Outdated & { readonly now: Temporal.Instant };

/** A timeline that is not removed to its end; its first entries may be. */
type Left = {
  readonly incident_id: string;
  readonly entries: number;
  readonly removed_entries: number | null;
  readonly removed_mac: string | null;
  /** Whether its incident ended long enough ago. */
  readonly due: boolean;
};
/** How much of one goes now. */
type Portion = Left & { readonly until: number };

/** Yields how many entries it removed, after each few. */
export async function* removeTimelines(
  parts: Parts,
  removing: Removing,
  rows: number,
): AsyncGenerator<number, void, undefined> {
  for (let last = ''; ; ) {
    const slice = await leftAfter(parts.sql, removing, { last, rows });
    if (slice.length === 0) return;
    const { portions, done, seen } = portionsOf(slice, rows);
    const removed = await transact(parts.sql, (tx) =>
      removePortions({ tx, secrets: parts.secrets, removing }, portions),
    );
    yield removed;
    // One of which nothing could go now is passed over until the next round.
    last = removed > 0 ? (done ?? last) : seen;
    if (last === slice.at(-1)?.incident_id && slice.length < rows) return;
  }
}

function leftAfter(
  sql: Sql,
  { organizationId, before }: Removing,
  { last, rows }: { readonly last: string; readonly rows: number },
): Promise<readonly Left[]> {
  return sql<Left[]>`
    select h.incident_id, h.entries, h.removed_entries, h.removed_mac,
      coalesce(h.removed_entries, 0) < h.entries and exists (
        select from incidents i
        where i.organization_id = ${organizationId} and i.id = h.incident_id
          and i.status = 'resolved' and i.resolved_at < ${before})
        and not ${isIncidentOpen(sql, organizationId, sql`h.incident_id`)} as due
    from timeline_heads h
    where h.organization_id = ${organizationId} and h.incident_id > ${last}
      and h.incident_id < ${firstIdAt(before)}
    order by h.incident_id limit ${rows}`;
}

/**
 * The portions of the slice to remove at once, the last timeline that is done, and the last one
 * that was examined.
 */
function portionsOf(slice: readonly Left[], rows: number) {
  const portions: Portion[] = [];
  let room = rows;
  let done: string | null = null;
  let seen = '';
  for (const left of slice) {
    if (left.due && room === 0) break;
    seen = left.incident_id;
    if (left.due) {
      const gone = left.removed_entries ?? 0;
      const until = Math.min(left.entries, gone + room);
      portions.push({ ...left, until });
      room -= until - gone;
      if (until < left.entries) break;
    }
    done = left.incident_id;
  }
  return { portions, done, seen };
}

type PortionContext = {
  readonly tx: Transaction;
  readonly secrets: Secrets;
  readonly removing: Removing;
};

/** Of those that nobody else removes or adds to now. */
async function removePortions(
  context: PortionContext,
  portions: readonly Portion[],
): Promise<number> {
  const { tx, removing } = context;
  const { organizationId: organization_id } = removing;
  if (portions.length === 0) return 0;
  const wanted = json(tx, portions);
  const held = await tx<{ incident_id: string }[]>`
    select h.incident_id from json_populate_recordset(null::timeline_heads, ${wanted}) p
    join timeline_heads h on h.organization_id = ${organization_id}
      and h.incident_id = p.incident_id
      and h.removed_entries is not distinct from p.removed_entries
    order by h.incident_id for update of h skip locked`;
  const own = new Set(held.map((row) => row.incident_id));
  const entriesOf = await readEntries(context, portions);
  const removals = portions
    .filter(({ incident_id }) => own.has(incident_id))
    .flatMap((portion) => removalOf(context, portion, entriesOf.get(portion.incident_id) ?? []));
  const rows = json(tx, removals);
  const [gone] = await tx<{ removed: number }[]>`
    with noted as (
      update timeline_heads h set removed_entries = r.removed_entries,
        removed_mac = r.removed_mac, removed_at = r.removed_at, removal_seal = r.removal_seal
      from json_populate_recordset(null::timeline_heads, ${rows}) r
      where h.organization_id = r.organization_id and h.incident_id = r.incident_id
    ), gone as (
      delete from timeline t using json_populate_recordset(null::timeline_heads, ${rows}) r
      where t.organization_id = r.organization_id and t.incident_id = r.incident_id
        and t.sequence <= r.removed_entries
      returning t.sequence
    )
    select count(*) as removed from gone`;
  const { removed = 0 } = gone ?? {};
  await noteRemoval(tx, removing, { kind: 'timelines', removed });
  return removed;
}

async function readEntries({ tx, removing }: PortionContext, portions: readonly Portion[]) {
  const rows = await tx<ChainedEntry[]>`
    select t.organization_id, t.incident_id, t.id, t.at, t.type, t.text, t.actor, t.details,
      t.sequence, t.mac
    from json_to_recordset(${json(tx, portions)})
      as p(incident_id text, removed_entries integer, until integer)
    join timeline t on t.organization_id = ${removing.organizationId}
      and t.incident_id = p.incident_id and t.sequence > coalesce(p.removed_entries, 0)
      and t.sequence <= p.until
    order by t.incident_id, t.sequence`;
  return Map.groupBy(rows, ({ incident_id }) => incident_id);
}

/**
 * None of a timeline that is not as it was written: what the audit finds there would be wiped away.
 * What was added later, such as the end of a call that was asked for again, is kept as long.
 */
function removalOf(
  { secrets, removing }: PortionContext,
  portion: Portion,
  read: readonly ChainedEntry[],
) {
  const { organizationId: organization_id, before, now } = removing;
  const { incident_id, removed_entries, removed_mac } = portion;
  const newer = read.findIndex(({ at }) => Temporal.Instant.compare(at, before) >= 0);
  const entries = newer < 0 ? read : read.slice(0, newer);
  const from: End = { sequence: removed_entries ?? 0, mac: removed_mac ?? noMac };
  const last = entries.at(-1);
  if (last === undefined || !follows(entries, from, secrets.mac)) return [];
  const removal = { entries: last.sequence, mac: last.mac, at: now };
  const of = { organization_id, incident_id };
  const removal_seal = removalSealOf(of, removal, secrets.mac);
  return [
    {
      ...of,
      removed_entries: last.sequence,
      removed_mac: last.mac,
      removed_at: now,
      removal_seal,
    },
  ];
}
