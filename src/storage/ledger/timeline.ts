import type { Changes } from '../../engine/ports/changes.ts';
import { json, namedRows } from '../records/rows.ts';
import { chain, type Head, noMac } from './chain.ts';
import type { LedgerContext } from './context.ts';

type AppendedEntries = {
  readonly entries: Changes['entries'];
  readonly at: Temporal.Instant;
  /** Incidents that nobody else knows yet. */
  readonly opened?: ReadonlySet<string>;
};
/** What appending needs. */
type TimelineContext = Pick<LedgerContext, 'sql' | 'ids' | 'secrets' | 'changed'>;
type TimelineKey = Pick<Head, 'organization_id' | 'incident_id'>;

/** Appends to the incidents' chains; whoever else would append to them waits for the commit. */
export async function insertTimeline(
  context: TimelineContext,
  appended: AppendedEntries,
): Promise<void> {
  const { sql, ids, secrets } = context;
  const { entries, at, opened = new Set() } = appended;
  if (entries.length === 0) return;
  for (const { organization_id: organizationId, incident_id: id } of entries)
    context.changed?.set(id, { organizationId, id });
  const known = await lockHeads(
    context,
    entries.filter((entry) => !opened.has(entry.incident_id)),
  );
  const rows = entries.map((entry) => ({ ...entry, id: ids.next(), at }));
  const chained = chain(rows, known, secrets.mac);
  await sql`
    with entries as (
      insert into timeline ${namedRows(sql, 'timeline', chained.entries)}
    )
    insert into timeline_heads ${namedRows(sql, 'timeline_heads', chained.heads)}
    on conflict (organization_id, incident_id)
      do update set entries = excluded.entries, mac = excluded.mac, seal = excluded.seal`;
}

/** In one order everywhere, after the locks of incidents and notices and before that of numbers. */
async function lockHeads(
  context: TimelineContext,
  entries: readonly TimelineKey[],
): Promise<readonly Head[]> {
  const byIncident = new Map<string, TimelineKey>();
  for (const { organization_id, incident_id } of entries)
    byIncident.set(incident_id, { organization_id, incident_id });
  if (byIncident.size === 0) return [];
  const keys = [...byIncident.values()];
  const heads = await lock(context, keys);
  if (heads.length === byIncident.size) return heads;
  // Incidents from before there were chains.
  await begin(context, keys);
  return lock(context, keys);
}

const lock = ({ sql }: TimelineContext, keys: readonly TimelineKey[]) => sql<Head[]>`
  select h.organization_id, h.incident_id, h.entries, h.mac, h.seal
  from json_populate_recordset(null::timeline_heads, ${json(sql, keys)}) e
  join timeline_heads h on h.organization_id = e.organization_id and h.incident_id = e.incident_id
  order by h.organization_id, h.incident_id for update of h`;

const begin = ({ sql }: TimelineContext, keys: readonly TimelineKey[]) => {
  const rows = keys.map((key) => ({ ...key, entries: 0, mac: noMac, seal: noMac }));
  return sql`
    insert into timeline_heads ${namedRows(sql, 'timeline_heads', rows)}
    order by organization_id, incident_id
    on conflict (organization_id, incident_id) do nothing`;
};
