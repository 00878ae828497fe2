import type {
  Attempted,
  Changes,
  Claimed,
  ClaimRequest,
  Unwanted,
} from '../../src/engine/ledger.ts';
import type { Incident } from '../../src/incidents/incident.ts';
import type { MemoryLedger } from './memory-ledger.ts';

export type NoticeRow = {
  readonly intent: Changes['intents'][number];
  readonly receiver: string;
  readonly state: 'pending' | 'sent' | 'failed' | 'cancelled';
  readonly reason: string | null;
  readonly attempts: number;
  /** Those whose end was recorded. */
  readonly ended?: readonly number[];
  readonly createdAt: Temporal.Instant;
  readonly wakeAt: Temporal.Instant | null;
};

type Outbox = Pick<MemoryLedger, 'outbox' | 'incidents' | 'put' | 'say'>;
type Judge = (notice: Claimed) => Unwanted | null;

export function insertNotices(
  ledger: Outbox,
  intents: Changes['intents'],
  now: Temporal.Instant,
): void {
  for (const intent of intents) {
    if (ledger.outbox.has(intent.key)) continue;
    ledger.put(ledger.outbox, intent.key, {
      intent,
      receiver: `${intent.channel} ${intent.address}`,
      state: 'pending',
      reason: null,
      attempts: 0,
      createdAt: now,
      wakeAt: now,
    });
  }
}

/** To everybody to whom a page went out, or may have gone out. */
export function insertAllClear(ledger: Outbox, incident: Incident, now: Temporal.Instant): void {
  const paged = new Map<string, NoticeRow>();
  for (const row of ledger.outbox.values()) {
    const { kind, incident_id } = row.intent;
    const isPage = kind === 'page' || kind === 'nobody_paged';
    if (incident_id !== incident.id || !isPage) continue;
    if (row.state === 'sent' || row.attempts > 0)
      paged.set(row.receiver, paged.get(row.receiver) ?? row);
  }
  const { cycle } = incident.escalation;
  const intents = [...paged].map(([receiver, { intent }]) => ({
    ...intent,
    key: `${incident.id}/${cycle}/all_clear/${receiver}`,
    kind: 'all_clear' as const,
    cycle,
    step: -1,
    rank: 2,
  }));
  insertNotices(ledger, intents, now);
}

export function claimIn(ledger: Outbox, request: ClaimRequest, unwanted: Judge): Claimed[] {
  const wanted: Claimed[] = [];
  for (const row of dueIn(ledger, request)) {
    const notice = claimedOf(ledger, row);
    if (!notice) continue;
    const cancel = unwanted(notice);
    if (cancel && 'holdUntil' in cancel) {
      ledger.put(ledger.outbox, row.intent.key, { ...row, wakeAt: cancel.holdUntil });
      continue;
    }
    if (cancel) {
      const { organization_id, key } = row.intent;
      const { reason } = cancel;
      ledger.put(ledger.outbox, key, { ...row, state: 'cancelled', reason, wakeAt: null });
      ledger.say([{ ...cancel.entry, organization_id }], request.now);
      continue;
    }
    const attempts = row.attempts + 1;
    ledger.put(ledger.outbox, row.intent.key, { ...row, attempts, wakeAt: request.leaseUntil });
    wanted.push(notice);
  }
  return wanted;
}

function dueIn(ledger: Outbox, request: ClaimRequest): NoticeRow[] {
  const { now, busy, limit, perReceiver } = request;
  const taken = new Map<string, number>();
  return [...ledger.outbox.values()]
    .filter((row) => row.wakeAt !== null && Temporal.Instant.compare(row.wakeAt, now) <= 0)
    .filter((row) => !busy.includes(row.receiver))
    .sort(byUrgency)
    .slice(0, limit * 2)
    .filter(({ receiver }) => {
      const count = taken.get(receiver) ?? 0;
      taken.set(receiver, count + 1);
      return count < perReceiver;
    })
    .slice(0, limit);
}

const byUrgency = (a: NoticeRow, b: NoticeRow) =>
  a.intent.rank - b.intent.rank || Temporal.Instant.compare(b.createdAt, a.createdAt);

function claimedOf(ledger: Outbox, row: NoticeRow): Claimed | null {
  const { intent } = row;
  const incident = ledger.incidents.get(intent.incident_id);
  if (!incident) return null;
  const { organization_id, key, kind, channel, address, recipient, mention, why, cycle } = intent;
  return {
    ...{ organization_id, key, kind, channel, address, recipient, mention, why, cycle },
    receiver: row.receiver,
    user_id: intent.user_id,
    attempt: row.attempts + 1,
    created_at: row.createdAt,
    incident,
    serviceName: 'Shop',
    organizationName: 'Example',
  };
}

/** A confirmation stands whoever brings it; a failure only while nobody tried again since. */
export function finishIn(ledger: Outbox, attempts: readonly Attempted[]): void {
  for (const { claimed, state, reason, wakeAt, entry, finishedAt } of attempts) {
    const row = ledger.outbox.get(claimed.key);
    if (!row) continue;
    const isNew = !row.ended?.includes(claimed.attempt);
    const counts =
      row.state === 'pending' && (state === 'sent' || row.attempts === claimed.attempt);
    const ended = [...(row.ended ?? []), claimed.attempt];
    const change = { ended, ...(counts && { state, reason, wakeAt }) };
    ledger.put(ledger.outbox, claimed.key, { ...row, ...change });
    if (entry && isNew)
      ledger.say([{ ...entry, organization_id: claimed.organization_id }], finishedAt);
  }
}
