import type { ClaimRequest, Judge } from '../../engine/ledger.ts';
import type { Claimed, ClaimedCall } from '../../engine/sending/claimed.ts';
import type { Rooms } from '../../engine/sending/shares.ts';
import type { Entry } from '../../incidents/incident.ts';
import type { Desk } from '../ledger/ledger.ts';
import { insertTimeline } from '../ledger/timeline.ts';
import { json } from '../records/rows.ts';
import { calledOf, keepContents } from './calls.ts';
import { type OutboxRow, readClaimed } from './claimed.ts';
import { claimable } from './due.ts';
import { entriesOf, newlyOf, putOff } from './put-off.ts';
import { Usage } from './usage.ts';

type Cancel = { readonly reason: string; readonly entry: Entry | null };

/**
 * Notices first, skipping those that another process holds; then what they are about, then the
 * usage of their organisations: in this order everywhere.
 */
export async function claim(
  desk: Desk,
  request: ClaimRequest,
  judge: Judge,
): Promise<readonly Claimed[]> {
  const { now } = request;
  const rows = await dueRows(desk, request);
  if (rows.length === 0) return [];
  request.found?.(rows.map(({ organization_id, key }) => ({ organization_id, key })));
  const { notices, broken, organizations } = await readClaimed(desk, rows);
  const usage = await Usage.open(desk, { notices, organizations, now });
  const { wanted, written, cancelled, held } = judged(notices, judge, usage);
  for (const { row } of newlyOf(broken)) request.unreadable?.(row);
  const entries = cancelled.flatMap(({ notice: { organization_id }, cancel: { entry } }) =>
    entry === null ? [] : [{ ...entry, organization_id }],
  );
  await Promise.all([
    cancelAll(desk, cancelled, now),
    holdAll(desk, held),
    lease(desk, wanted, request),
    keepContents(desk, written),
    usage.save(),
    putOff(desk, broken, now),
    insertTimeline(desk, { entries: [...entries, ...entriesOf(broken, now)], at: now }),
  ]);
  return wanted;
}

type Judged = {
  readonly wanted: Claimed[];
  /** Of those, calls that were written for this try. */
  readonly written: ClaimedCall[];
  readonly cancelled: { readonly notice: Claimed; readonly cancel: Cancel }[];
  readonly held: { readonly notice: Claimed; readonly until: Temporal.Instant }[];
};

function judged(notices: readonly Claimed[], judge: Judge, usage: Usage): Judged {
  const all: Judged = { wanted: [], written: [], cancelled: [], held: [] };
  for (const notice of notices) {
    const verdict = judge(notice, usage.isReached(notice));
    if (verdict && 'holdUntil' in verdict) all.held.push({ notice, until: verdict.holdUntil });
    else if (verdict && 'reason' in verdict) all.cancelled.push({ notice, cancel: verdict });
    else if (verdict && notice.about === 'call') all.written.push({ ...notice, ...verdict });
    else {
      all.wanted.push(notice);
      usage.count(notice);
    }
  }
  all.wanted.push(...all.written);
  return all;
}

/**
 * Found without locks, shared out among receivers, then organisations, then channels, and only then
 * locked: what is left out is found again.
 */
async function dueRows({ sql }: Desk, request: ClaimRequest): Promise<readonly OutboxRow[]> {
  // Written so that only the key fits: without statistics, all that is due would be read for each.
  const isStillDue = sql`coalesce(o.state, '') = 'pending' and o.wake_at <= ${request.now}`;
  const { limit, perReceiver, shares = new Map<string, number>() } = request;
  const any: Rooms = { each: limit, of: new Map() };
  const { channels, organizations, calls } = request.rooms ?? {
    ...{ channels: any, organizations: any, calls: any },
  };
  const isWithin = (nth: string, name: string, { each, of }: Rooms) => sql`
    ${sql(nth)} <= coalesce((
      select room from unnest(${[...of.keys()]}::text[], ${[...of.values()]}::integer[])
        as own (name, room) where own.name = ${sql(name)}), ${each}::integer)`;
  return sql<OutboxRow[]>`
    with due as (${claimable(sql, request)}), of_receivers as (
      select *, row_number() over (partition by receiver order by rank, created_at desc, key) as nth
      from due
    ), of_kinds as (
      select *, row_number() over (partition by organization_id, channel = 'webhook'
        order by rank, created_at desc, key) as nth_of_kind
      from of_receivers
      where ${isWithin('nth', 'receiver', { each: perReceiver, of: shares })}
    ), of_organizations as (
      select *, row_number() over (partition by organization_id
        order by rank, created_at desc, key) as nth_of_all
      from of_kinds
      where channel <> 'webhook' or ${isWithin('nth_of_kind', 'organization_id', calls)}
    ), of_channels as (
      select *, row_number() over (partition by channel
        order by rank, created_at desc, key) as nth_of_channel
      from of_organizations
      where ${isWithin('nth_of_all', 'organization_id', organizations)}
    )
    select o.organization_id, o.key, o.incident_id, o.kind, o.channel, o.receiver, o.notice,
      o.cycle, o.step, o.user_id, o.attempts, o.created_at, o.delivery_id, o.content,
      o.reason
    from of_channels f join outbox o on o.organization_id = f.organization_id and o.key = f.key
    where ${isWithin('nth_of_channel', 'f.channel', channels)} and ${isStillDue}
    order by o.rank, o.created_at desc, o.key limit ${limit}
    for update of o skip locked`;
}

async function lease(desk: Desk, wanted: readonly Claimed[], request: ClaimRequest): Promise<void> {
  if (wanted.length === 0) return;
  const { sql } = desk;
  const rows = wanted.map((one) => ({
    organization_id: one.organization_id,
    key: one.key,
    number: one.attempt,
    claimed_at: request.now,
    claimed_by: request.claimant ?? null,
    called: one.about === 'call' ? calledOf(desk, one) : null,
  }));
  const values = json(sql, rows);
  await Promise.all([
    sql`
      update outbox o set attempts = r.number, wake_at = ${request.leaseUntil}
      from json_populate_recordset(null::attempts, ${values}) r
      where o.organization_id = r.organization_id and o.key = r.key`,
    // Counted under the incident's lock, and so before or after whatever its timeline says.
    sql`
      insert into attempts (organization_id, key, number, claimed_at, claimed_by,
        called, entries_before)
      select r.organization_id, r.key, r.number, r.claimed_at, r.claimed_by, r.called, h.entries
      from json_populate_recordset(null::attempts, ${values}) r
      join outbox o on o.organization_id = r.organization_id and o.key = r.key
      left join timeline_heads h
        on h.organization_id = o.organization_id and h.incident_id = o.incident_id`,
  ]);
}

async function holdAll(
  { sql }: Desk,
  held: readonly { notice: Claimed; until: Temporal.Instant }[],
): Promise<void> {
  if (held.length === 0) return;
  const rows = held.map(({ notice, until }) => ({
    organization_id: notice.organization_id,
    key: notice.key,
    wake_at: until,
  }));
  await sql`
    update outbox o set wake_at = r.wake_at
    from json_populate_recordset(null::outbox, ${json(sql, rows)}) r
    where o.organization_id = r.organization_id and o.key = r.key`;
}

async function cancelAll(
  { sql }: Desk,
  cancelled: readonly { notice: Claimed; cancel: Cancel }[],
  now: Temporal.Instant,
): Promise<void> {
  if (cancelled.length === 0) return;
  const rows = cancelled.map(({ notice, cancel }) => ({
    organization_id: notice.organization_id,
    key: notice.key,
    reason: cancel.reason,
  }));
  await sql`
    update outbox o
    set state = 'cancelled', reason = r.reason, wake_at = null, finished_at = ${now}
    from json_populate_recordset(null::outbox, ${json(sql, rows)}) r
    where o.organization_id = r.organization_id and o.key = r.key`;
}
