// Types of timeline entries that got another name with the migration 0026. The chains cover them and
// a migration has no key, so the first start after it renames them and makes the codes anew.
import type { Clock } from '../../engine/clock.ts';
import type { Ids } from '../../engine/ids.ts';
import { audit } from '../audit.ts';
import { type Queries, type Sql, type Transaction, transact } from '../database.ts';
import { auditedOrganization } from '../people/audited.ts';
import { json } from '../records/rows.ts';
import type { Secrets } from '../secrets.ts';
import { type ChainedEntry, type Head, noMac, renewChain } from './chain.ts';
import { keyed } from './keys.ts';

const renamed: Readonly<Record<string, string>> = {
  step_fired: 'step_ran',
  late: 'step_late',
  delayed: 'paging_delayed',
  noted: 'unchanged',
};
const doneKey = 'entry_types_are_renamed';
const timelinesAtOnce = 100;

type Renaming = {
  readonly sql: Sql;
  readonly secrets: Secrets;
  readonly ids: Ids;
  readonly clock: Clock;
};
type TimelineKey = Pick<Head, 'organization_id' | 'incident_id'>;
type LockedHead = Head & { readonly removed_mac: string | null };

/**
 * Before the server accepts anything. Batch by batch, each in a commit of its own: chains are whole
 * after each of them, so a start that is killed, or another at the same time, does no harm.
 */
export async function renameEntryTypes(renaming: Renaming, limit = timelinesAtOnce): Promise<void> {
  const { sql } = renaming;
  const [done] = await sql`select from installation where key = ${doneKey}`;
  if (done !== undefined) return;
  let last: TimelineKey | undefined = { organization_id: '', incident_id: '' };
  while (last !== undefined) {
    const after: TimelineKey = last;
    last = await transact(sql, async (tx) => {
      const keys = await timelinesAfter(tx, after, limit);
      await renameIn({ ...renaming, tx }, keys);
      return keys.at(-1);
    });
  }
  await sql`
    insert into installation (key, value) values (${doneKey}, 'true') on conflict (key) do nothing`;
}

function timelinesAfter(
  tx: Transaction,
  { organization_id, incident_id }: TimelineKey,
  limit: number,
): Promise<readonly TimelineKey[]> {
  return tx<TimelineKey[]>`
    select distinct organization_id, incident_id from timeline
    where (organization_id, incident_id) > (${organization_id}, ${incident_id})
      and type = any(${Object.keys(renamed)})
    order by organization_id, incident_id limit ${limit}`;
}

type Batch = Renaming & { readonly tx: Transaction };

async function renameIn({ tx, ...renaming }: Batch, keys: readonly TimelineKey[]): Promise<void> {
  if (keys.length === 0) return;
  const on = keyed(
    tx,
    keys.map(({ organization_id, incident_id: id }) => ({ organization_id, id })),
  );
  const heads = await tx<LockedHead[]>`
    select h.organization_id, h.incident_id, h.entries, h.mac, h.seal,
      case when h.removed_entries is not null then h.removed_mac end as removed_mac
    from ${on} join timeline_heads h on h.organization_id = k.organization_id
      and h.incident_id = k.id
    order by h.organization_id, h.incident_id for update of h`;
  const entries = await tx<ChainedEntry[]>`
    select t.* from ${on} join timeline t on t.organization_id = k.organization_id
      and t.incident_id = k.id
    order by t.organization_id, t.incident_id, t.sequence`;
  await write(tx, renewed({ heads, entries }, renaming.secrets));
  for (const id of new Set(keys.map(({ organization_id }) => organization_id)))
    await auditOnce(tx, id, renaming);
}

type Stored = { readonly heads: readonly LockedHead[]; readonly entries: readonly ChainedEntry[] };

/** Entries from before there were chains have a new type only. */
function renewed({ heads, entries }: Stored, { mac }: Secrets) {
  const typed = (entry: ChainedEntry) => ({ ...entry, type: renamed[entry.type] ?? entry.type });
  const chained = Map.groupBy(
    entries.filter(({ sequence }) => sequence > 0),
    ({ incident_id }) => incident_id,
  );
  const chains = heads.map((head) => {
    const own = chained.get(head.incident_id) ?? [];
    return renewChain({ head, entries: own, after: head.removed_mac ?? noMac }, typed, mac);
  });
  return {
    heads: chains.map(({ head }) => head),
    entries: [
      ...entries.filter(({ sequence }) => sequence <= 0).map(typed),
      ...chains.flatMap((chain) => chain.entries),
    ],
  };
}

async function write(
  tx: Transaction,
  {
    heads,
    entries,
  }: { readonly heads: readonly Head[]; readonly entries: readonly ChainedEntry[] },
): Promise<void> {
  const rows = entries.map(({ organization_id, incident_id, sequence, type, mac }) => ({
    ...{ organization_id, incident_id, sequence, type, mac },
  }));
  await tx`
    update timeline t set type = r.type, mac = r.mac
    from json_populate_recordset(null::timeline, ${json(tx, rows)}) r
    where t.organization_id = r.organization_id and t.incident_id = r.incident_id
      and t.sequence = r.sequence`;
  await tx`
    update timeline_heads h set mac = r.mac, seal = r.seal
    from json_populate_recordset(null::timeline_heads, ${json(tx, heads)}) r
    where h.organization_id = r.organization_id and h.incident_id = r.incident_id`;
}

/** With the first of its timelines. */
async function auditOnce(
  tx: Queries,
  organizationId: string,
  { ids, clock }: Pick<Renaming, 'ids' | 'clock'>,
): Promise<void> {
  const action = 'rename_entry_types';
  const [known] = await tx`
    select from audit_log
    where organization_id = ${organizationId} and action = ${action} limit 1`;
  if (known !== undefined) return;
  const actor = { kind: 'server', id: organizationId, name: 'Pager' };
  const act = { organizationId, teamIds: null, actor, requestId: null, now: clock.now() };
  await audit(tx, ids, {
    ...{ act, ...auditedOrganization, action, id: organizationId },
    after: { timeline_entry_types: renamed },
  });
}
