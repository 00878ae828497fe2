// Entries of timelines that were written under names that are no longer used: of types, and of one
// field of their details. Chains cover both and a migration has no key, so the first start after the
// migration 0026 renames them and makes the codes anew.
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../engine/clock.ts';
import type { Ids } from '../../engine/ids.ts';
import type { Log } from '../../engine/log.ts';
import { number, objectOf, text } from '../../resources/declaration/stored-document.ts';
import { type Sql, type Transaction, transact } from '../database/database.ts';
import { audit } from '../organizations/audit.ts';
import { auditedOrganization } from '../people/audited.ts';
import { json } from '../records/rows.ts';
import type { Secrets } from '../sealed/secrets.ts';
import {
  type ChainedEntry,
  type Head,
  noMac,
  type RenewedEnd,
  renewEntries,
  renewHead,
} from './chain.ts';
import { keyed } from './keys.ts';

const types: Readonly<Record<string, string>> = {
  step_fired: 'step_ran',
  late: 'step_late',
  delayed: 'paging_delayed',
  noted: 'unchanged',
};
const details = { told: 'notified' } as const;

const progressKey = 'entries_renamed_to';
const entriesAtOnce = 5_000;
const portionsPerReport = 20;
const pollMs = 500;
/** The least integer of PostgreSQL: entries from before there were chains count down from 0. */
const beforeAll = -(2 ** 31);

type Renaming = {
  readonly sql: Sql;
  readonly secrets: Secrets;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Log;
  /** Stops it; the next start goes on from there. */
  readonly signal?: AbortSignal | undefined;
  readonly atOnce?: number;
};
type TimelineKey = Pick<Head, 'organization_id' | 'incident_id'>;
type EntryKey = TimelineKey & Pick<ChainedEntry, 'sequence'>;
/** The last entry that was examined, and the last organisation whose audit log says so. */
type Position = EntryKey & { readonly audited: string };
type Progress = Position | 'done';
type Portion = { readonly examined: number; readonly renamed: number; readonly isLast: boolean };

const parsePosition = objectOf<Position>({
  organization_id: text,
  incident_id: text,
  sequence: number,
  audited: text,
});
const parseProgress = (stored: string): Progress => {
  const value: unknown = JSON.parse(stored);
  return value === 'done' ? value : parsePosition(value);
};

const start: Position = { organization_id: '', incident_id: '', sequence: 0, audited: '' };

/**
 * Before the server accepts anything. Each portion is a commit of its own, after which every chain is
 * whole. Of several servers that start at once, one works and the others wait for it.
 */
export async function renameEntries(renaming: Renaming): Promise<void> {
  const { sql, log, signal } = renaming;
  await sql`
    insert into installation (key, value) values (${progressKey}, ${JSON.stringify(start)})
    on conflict (key) do nothing`;
  let [portions, examined, timelines] = [0, 0, 0];
  let [isWaiting, hasBegun] = [false, false];
  const begin = () => {
    if (!hasBegun)
      log.info({}, 'stored timeline entries are being renamed, before the server listens');
    hasBegun = true;
  };
  while (!(await isDone(sql))) {
    signal?.throwIfAborted();
    const portion = await transact(sql, (tx) => renameNext({ ...renaming, tx, begin }));
    if (portion === 'busy') {
      if (!isWaiting)
        log.info({}, 'another server renames stored timeline entries: waiting for it');
      isWaiting = true;
      await pause(pollMs);
      continue;
    }
    portions += 1;
    examined += portion.examined;
    timelines += portion.renamed;
    const counts = { entries: examined, timelines };
    if (portion.isLast && hasBegun) log.info(counts, 'stored timeline entries were renamed');
    else if (portions % portionsPerReport === 0)
      log.info(counts, 'stored timeline entries are still being renamed');
  }
}

async function isDone(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ value: string }[]>`
    select value from installation where key = ${progressKey}`;
  return row !== undefined && parseProgress(row.value) === 'done';
}

type PortionContext = Renaming & { readonly tx: Transaction; readonly begin: () => void };

/** What is left is read under the lock, so nothing is done twice. */
async function renameNext(context: PortionContext): Promise<Portion | 'busy'> {
  const { tx, atOnce = entriesAtOnce } = context;
  const [row] = await tx<{ value: string }[]>`
    select value from installation where key = ${progressKey} for update skip locked`;
  if (row === undefined) return 'busy';
  const position = parseProgress(row.value);
  if (position === 'done') return { examined: 0, renamed: 0, isLast: true };
  const timelines = await examine(tx, position, atOnce);
  const old = timelines.filter(({ is_old }) => is_old);
  if (old.length > 0) context.begin();
  await renameTimelines(context, old);
  const organizations = new Set(old.map(({ organization_id }) => organization_id));
  organizations.delete(position.audited);
  const examined = timelines.reduce((sum, { examined }) => sum + examined, 0);
  const last = timelines.at(-1);
  const isLast = last === undefined || examined < atOnce;
  const audited = [...organizations].at(-1) ?? position.audited;
  const progress: Progress = isLast ? 'done' : { ...keyOf(last), audited };
  await tx`
    update installation set value = ${JSON.stringify(progress)} where key = ${progressKey}`;
  for (const id of organizations) await auditRenaming(context, id);
  return { examined, renamed: old.length, isLast };
}

const keyOf = ({ organization_id, incident_id, sequence }: EntryKey): EntryKey => ({
  organization_id,
  incident_id,
  sequence,
});

type Examined = EntryKey & { readonly examined: number; readonly is_old: boolean };

/** The next entries, by timelines. As text: JSON that PostgreSQL cannot take apart stops nothing. */
function examine(
  tx: Transaction,
  { organization_id, incident_id, sequence }: EntryKey,
  limit: number,
): Promise<readonly Examined[]> {
  return tx<Examined[]>`
    select organization_id, incident_id, max(sequence) as sequence, count(*) as examined,
      bool_or(type = any(${Object.keys(types)})
        or details::text ~ ${`"${Object.keys(details)}"\\s*:`}) as is_old
    from (
      select organization_id, incident_id, sequence, type, details from timeline
      where (organization_id, incident_id, sequence)
        > (${organization_id}, ${incident_id}, ${sequence})
      order by organization_id, incident_id, sequence limit ${limit}
    ) next
    group by organization_id, incident_id order by organization_id, incident_id`;
}

/**
 * To their ends, for the rest of a chain follows from what is renamed. Of chains whose head is lost
 * too: the audit finds that as before.
 */
async function renameTimelines(
  context: PortionContext,
  timelines: readonly TimelineKey[],
): Promise<void> {
  const { tx, signal, secrets, atOnce = entriesAtOnce } = context;
  const heads = await lockHeads(tx, timelines);
  const ends = new Map<string, RenewedEnd>();
  let left = timelines.map(({ organization_id, incident_id }) => ({
    organization_id,
    incident_id,
    sequence: beforeAll,
  }));
  while (left.length > 0) {
    signal?.throwIfAborted();
    const entries = await readNext(tx, left, atOnce);
    const parts = [...Map.groupBy(entries, ({ incident_id }) => incident_id)];
    const renewed = parts.flatMap(([id, part]) => {
      const after = heads.get(id)?.removed_mac ?? noMac;
      const start = ends.get(id) ?? { sequence: 0, stored: after, renewed: after };
      const chained = part.filter(({ sequence }) => sequence > 0);
      const chain = renewEntries(chained, start, { change: renamed, mac: secrets.mac });
      ends.set(id, chain.end);
      return [...part.filter(({ sequence }) => sequence <= 0).map(renamed), ...chain.entries];
    });
    await write(tx, { before: entries, after: renewed });
    left = parts.flatMap(([, part]) => (part.length < atOnce ? [] : part.slice(-1).map(keyOf)));
  }
  await writeHeads(
    tx,
    [...heads].map(([id, head]) => {
      const end = ends.get(id);
      return end === undefined ? head : renewHead(head, end, secrets.mac);
    }),
  );
}

type LockedHead = Head & { readonly removed_mac: string | null };

async function lockHeads(
  tx: Transaction,
  timelines: readonly TimelineKey[],
): Promise<ReadonlyMap<string, LockedHead>> {
  const keys = timelines.map(({ organization_id, incident_id: id }) => ({ organization_id, id }));
  const heads = await tx<LockedHead[]>`
    select h.organization_id, h.incident_id, h.entries, h.mac, h.seal,
      case when h.removed_entries is not null then h.removed_mac end as removed_mac
    from ${keyed(tx, keys)} join timeline_heads h on h.organization_id = k.organization_id
      and h.incident_id = k.id
    order by h.organization_id, h.incident_id for update of h`;
  return new Map(heads.map((head) => [head.incident_id, head]));
}

/** Of each timeline those after this entry, so many at most. */
function readNext(
  tx: Transaction,
  after: readonly EntryKey[],
  limit: number,
): Promise<readonly ChainedEntry[]> {
  return tx<ChainedEntry[]>`
    select t.* from unnest(${after.map(({ organization_id }) => organization_id)}::text[],
      ${after.map(({ incident_id }) => incident_id)}::text[],
      ${after.map(({ sequence }) => sequence)}::integer[])
      with ordinality as k (organization_id, incident_id, sequence, number)
    cross join lateral (
      select * from timeline own
      where own.organization_id = k.organization_id and own.incident_id = k.incident_id
        and own.sequence > k.sequence
      order by own.sequence limit ${limit}
    ) t
    order by k.number, t.sequence`;
}

function renamed(entry: ChainedEntry): ChainedEntry {
  const type = types[entry.type] ?? entry.type;
  return { ...entry, type, details: renamedDetails(entry.details) };
}

/** Only where we wrote it: beside those who were skipped. */
function renamedDetails(stored: unknown): unknown {
  if (!hasOldName(stored)) return stored;
  const { told, ...rest } = stored;
  return { [details.told]: told, ...rest };
}

const hasOldName = (stored: unknown): stored is { readonly told: unknown } =>
  typeof stored === 'object' && stored !== null && 'told' in stored && 'skipped' in stored;

/** Of the same entries in the same order. */
type Rewrite = {
  readonly before: readonly ChainedEntry[];
  readonly after: readonly ChainedEntry[];
};

/** Details that stay are not written: as JSON came in, it is kept. */
async function write(tx: Transaction, { before, after }: Rewrite): Promise<void> {
  const rows = after.flatMap(({ details, ...entry }, index) => {
    const stored = before[index];
    const changed = details === stored?.details ? null : JSON.stringify(details);
    const isSame = changed === null && entry.type === stored?.type && entry.mac === stored.mac;
    return isSame ? [] : [{ ...entry, details: changed }];
  });
  await tx`
    update timeline t set type = r.type, mac = r.mac, details = coalesce(r.details::json, t.details)
    from unnest(${rows.map(({ organization_id }) => organization_id)}::text[],
      ${rows.map(({ incident_id }) => incident_id)}::text[],
      ${rows.map(({ sequence }) => sequence)}::integer[],
      ${rows.map(({ type }) => type)}::text[], ${rows.map(({ mac }) => mac)}::text[],
      ${rows.map(({ details }) => details)}::text[])
      as r (organization_id, incident_id, sequence, type, mac, details)
    where t.organization_id = r.organization_id and t.incident_id = r.incident_id
      and t.sequence = r.sequence`;
}

async function writeHeads(tx: Transaction, heads: readonly Head[]): Promise<void> {
  await tx`
    update timeline_heads h set mac = r.mac, seal = r.seal
    from json_populate_recordset(null::timeline_heads, ${json(tx, heads)}) r
    where h.organization_id = r.organization_id and h.incident_id = r.incident_id`;
}

async function auditRenaming(
  { tx, ids, clock }: PortionContext,
  organizationId: string,
): Promise<void> {
  const actor = { kind: 'server', id: organizationId, name: 'Pager' };
  const act = { organizationId, teamIds: null, actor, requestId: null, now: clock.now() };
  await audit(tx, ids, {
    act,
    ...auditedOrganization,
    action: 'rename_entry_types',
    id: organizationId,
    after: { timeline_entry_types: types, timeline_entry_details: details },
  });
}
