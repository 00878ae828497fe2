// Claims notices of the ledger in memory, and puts together what is sent of them.

import { postponeMinutes } from '../../engine/faults.ts';
import type { ClaimRequest, EvaluateNotice } from '../../engine/ports/sending.ts';
import type { Claimed, ClaimedCall, ClaimedNotice } from '../../engine/sending/claimed.ts';
import { attemptsElsewhere } from '../../engine/sending/retry-routes.ts';
import { minutesAfter } from '../../incidents/incident.ts';
import { type DueContent, readContent } from '../../notices/queued.ts';
import { textOf } from '../../resources/declaration/field.ts';
import { defaultLanguage } from '../../resources/language.ts';
import { dueIn } from './due.ts';
import type { NoticeRow, Outbox } from './outbox.ts';

export function claimIn(
  ledger: Outbox,
  request: ClaimRequest,
  evaluate: EvaluateNotice,
): Claimed[] {
  const wanted: Claimed[] = [];
  const written: ClaimedCall[] = [];
  const due = dueIn(ledger, request, (key) => ledger.mayClaim(key));
  request.selected?.(due.map(({ intent: { organization_id, key } }) => ({ organization_id, key })));
  for (const row of due) {
    const notice = claimedOf(ledger, row);
    if (!notice) continue;
    const verdict = evaluate(notice, false);
    if (verdict && 'holdUntil' in verdict) {
      ledger.put(ledger.outbox, row.intent.key, { ...row, wakeAt: verdict.holdUntil });
      continue;
    }
    if (verdict && 'reason' in verdict) {
      const { organization_id, key } = row.intent;
      const { reason } = verdict;
      ledger.put(ledger.outbox, key, { ...row, state: 'cancelled', reason, wakeAt: null });
      if (verdict.entry) ledger.addEntries([{ ...verdict.entry, organization_id }], request.now);
      continue;
    }
    const [attempts, wakeAt] = [row.attempts + 1, request.leaseUntil];
    ledger.put(ledger.outbox, row.intent.key, { ...row, ...verdict, attempts, wakeAt });
    if (notice.about === 'call' && verdict) written.push({ ...notice, ...verdict });
    else wanted.push(notice);
  }
  return [...wanted, ...written];
}

function claimedOf(ledger: Outbox, row: NoticeRow): Claimed | null {
  const { intent, recipientKey, createdAt: created_at, tried = [], lostAnswers } = row;
  const { organization_id, key, channel, address, recipient, mention, why, user_id } = intent;
  const notice = {
    organization_id,
    key,
    channel,
    recipient,
    mention,
    why,
    user_id,
    recipient_key: recipientKey,
    ...('route' in intent && intent.route !== undefined && { route: intent.route }),
    address: textOf(address),
    attempt: row.attempts + 1,
    ...(lostAnswers !== undefined && { lostAnswers }),
    tried,
    earlier: [...(row.reported ?? [])]
      .filter(([number]) => number > attemptsElsewhere(tried))
      .toSorted(([a], [b]) => a - b)
      .map(([, { connectionId, vendorId, receipt }]) => ({ connectionId, vendorId, receipt })),
    created_at,
    organizationName: '',
    timezone: 'Etc/UTC',
    language: defaultLanguage,
  };
  if (channel === 'webhook') return callOf(ledger, row, notice);
  const content = contentOf(ledger, intent);
  return content && { ...notice, ...content };
}

function contentOf(ledger: Outbox, intent: NoticeRow['intent']): DueContent | null {
  const { kind } = intent;
  const none = { kind, cycle: 0, step: 0, role: null, incident: null };
  if ('story' in intent) return readContent({ ...none, notice: { story: intent.story } });
  if ('undecided' in intent)
    return readContent({ ...none, notice: { undecided: intent.undecided } });
  const incident = ledger.incidents.get(intent.incident_id);
  if (!incident || kind === 'webhook') return null;
  const { cycle, step, wave } = intent;
  return readContent({
    kind,
    cycle,
    step,
    role: null,
    notice: wave === undefined ? {} : { wave },
    incident: () => ({ incident, serviceName: '' }),
  });
}

function callOf(ledger: Outbox, row: NoticeRow, notice: ClaimedNotice): ClaimedCall | null {
  const { intent, content = null } = row;
  const event = eventOf(ledger, intent);
  if (event === null) return null;
  const kind = event.type === 'shift' ? event.kind : 'webhook';
  return {
    ...notice,
    about: 'call',
    kind,
    event,
    content,
    original: null,
    delivery_id: '0'.repeat(24),
    webhook: { method: 'POST', contentType: 'json', headers: {}, secrets: [], archived: false },
  };
}

function eventOf(ledger: Outbox, intent: NoticeRow['intent']): ClaimedCall['event'] | null {
  if ('story' in intent) return { type: 'shift', kind: intent.kind, story: intent.story };
  if ('undecided' in intent) return null;
  const { occasion } = intent;
  const incident = ledger.incidents.get(intent.incident_id);
  const named = { id: '0'.repeat(24), name: '' };
  const names = { team: named, service: named, integration: named, responders: [] };
  return incident && occasion
    ? { type: 'incident', occasion, subject: { incident, ...names } }
    : null;
}

/** A notice with which nothing can be done. */
export function postponeIn(ledger: Outbox, key: string, now: Temporal.Instant): null {
  const row = ledger.outbox.get(key);
  if (row?.state !== 'pending') return null;
  ledger.put(ledger.outbox, key, { ...row, wakeAt: minutesAfter(now, postponeMinutes) });
  return null;
}
