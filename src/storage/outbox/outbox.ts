import type { ClaimRequest, EvaluateNotice } from '../../engine/ports/sending.ts';
import type { Claimed, ClaimedCall } from '../../engine/sending/claimed.ts';
import type { Usage } from '../../engine/sending/monthly-limit.ts';
import type { Telephones } from '../../engine/sending/telephones.ts';
import type { Entry } from '../../incidents/incident.ts';
import type { LedgerContext } from '../ledger/context.ts';
import { insertTimeline } from '../ledger/timeline.ts';
import { json } from '../records/rows.ts';
import { calledOf, keepContents } from './calls.ts';
import { readClaimed } from './claimed.ts';
import { lockDueNotices } from './due.ts';
import { openUsage, saveUsage } from './monthly-limit.ts';
import { entriesOf, newlyOf, postponeNotices, withPostponements } from './postpone.ts';
import { lockTelephones, querySoon, readTelephones } from './telephone.ts';

type Cancel = { readonly reason: string; readonly entry: Entry | null };

/**
 * Notices first, skipping those that another process holds; then the telephones of calls, then what
 * they are about, then the usage of their organisations: in this order everywhere.
 */
export async function claim(
  context: LedgerContext,
  request: ClaimRequest,
  evaluate: EvaluateNotice,
): Promise<readonly Claimed[]> {
  const { now } = request;
  const rows = await lockDueNotices(context.sql, request, context.claimWindow);
  if (rows.length === 0) return [];
  request.selected?.(rows.map(({ organization_id, key }) => ({ organization_id, key })));
  await lockTelephones(context, rows);
  const { notices, broken, organizations } = await readClaimed(context, rows);
  const usage = await openUsage(context, { notices, organizations, now });
  const telephones = await readTelephones(context, notices, now);
  const { wanted, written, cancelled, postponed, waiting } = evaluateAll(notices, {
    evaluate,
    usage,
    telephones,
  });
  const setAside = withPostponements(broken, now);
  for (const { row } of newlyOf(setAside)) request.unreadable?.(row);
  const entries = cancelled.flatMap(({ notice: { organization_id }, cancel: { entry } }) =>
    entry === null ? [] : [{ ...entry, organization_id }],
  );
  await Promise.all([
    cancelAll(context, cancelled, now),
    postponeAll(context, postponed),
    querySoon(context, waiting, now),
    lease(context, wanted, request),
    keepContents(context, written),
    saveUsage(context, usage, now),
    postponeNotices(context, setAside, now),
    insertTimeline(context, { entries: [...entries, ...entriesOf(setAside)], at: now }),
  ]);
  return wanted;
}

type Evaluated = {
  readonly wanted: Claimed[];
  /** Of those, calls that were written for this try. */
  readonly written: ClaimedCall[];
  readonly cancelled: { readonly notice: Claimed; readonly cancel: Cancel }[];
  readonly postponed: { readonly notice: Claimed; readonly until: Temporal.Instant }[];
  /** Of those, calls to a telephone that is in another call. */
  readonly waiting: Claimed[];
};

type Evaluation = {
  readonly evaluate: EvaluateNotice;
  readonly usage: Usage;
  readonly telephones: Telephones;
};

function evaluateAll(
  notices: readonly Claimed[],
  { evaluate, usage, telephones }: Evaluation,
): Evaluated {
  const all: Evaluated = { wanted: [], written: [], cancelled: [], postponed: [], waiting: [] };
  for (const notice of notices) {
    const verdict = evaluate(notice, usage.isReached(notice));
    if (verdict && 'holdUntil' in verdict) all.postponed.push({ notice, until: verdict.holdUntil });
    else if (verdict && 'reason' in verdict) all.cancelled.push({ notice, cancel: verdict });
    else if (verdict && notice.about === 'call') all.written.push({ ...notice, ...verdict });
    else {
      const until = telephones.busyUntil(notice);
      if (until !== null) {
        all.postponed.push({ notice, until });
        all.waiting.push(notice);
      } else {
        all.wanted.push(notice);
        usage.count(notice);
      }
    }
  }
  all.wanted.push(...all.written);
  return all;
}

async function lease(
  context: LedgerContext,
  wanted: readonly Claimed[],
  request: ClaimRequest,
): Promise<void> {
  if (wanted.length === 0) return;
  const { sql } = context;
  const rows = wanted.map((one) => ({
    organization_id: one.organization_id,
    key: one.key,
    number: one.attempt,
    claimed_at: request.now,
    claimed_by: request.claimant ?? null,
    called: one.about === 'call' ? calledOf(context, one) : null,
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

async function postponeAll(
  { sql }: LedgerContext,
  postponed: readonly { notice: Claimed; until: Temporal.Instant }[],
): Promise<void> {
  if (postponed.length === 0) return;
  const rows = postponed.map(({ notice, until }) => ({
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
  { sql }: LedgerContext,
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
