// What must hold whatever happens: read from committed transactions alone, with a model of its own
// of each incident, so that a fault of the engine cannot hide itself.
import assert from 'node:assert/strict';
import type { Changes } from '../../src/engine/ports/changes.ts';
import type { StoredEvent } from '../../src/engine/ports/events.ts';
import { keyText } from '../../src/engine/ports/keys.ts';
import type { Claimed } from '../../src/engine/sending/claimed.ts';
import { confirms } from '../../src/engine/sending/receipt.ts';
import type { Jump } from '../../src/incidents/clock-jump.ts';
import {
  forGood,
  type Incident,
  type IncidentAlert,
  isDue,
  isOpen,
  isPage,
  noCycle,
  type Worst,
  wakeAt,
} from '../../src/incidents/incident.ts';
import { alertsOf } from '../../src/incidents/incident-alerts.ts';
import { withdrawnFor } from '../../src/incidents/notice-cancellation.ts';
import type { RoundPage } from '../../src/incidents/page-results.ts';
import { alertText } from '../../src/what-if/memory/known.ts';
import type { NoticeRow } from '../../src/what-if/memory/outbox.ts';
import { isCorrupt, readRound } from './failing-rows.ts';
import type { Deed, FragileLedger } from './fragile-ledger.ts';
import { createShiftCheck } from './shift-invariants.ts';

type Seen = {
  status: 'triggered' | 'acknowledged' | 'resolved';
  muted: boolean;
  cycle: number;
  step: number;
  repeats: number;
  /** When the next step may fire, in epoch milliseconds. */
  due: number | null;
  /** What was left of that when it was muted. */
  left: number | null;
  /** Somebody asked for the next step in this very transaction. */
  requested: boolean;
  /** A person or the ack timeout began it anew: not a repeat. */
  anew: boolean;
  /** When the last step fired, in epoch milliseconds; null if it was muted since, or time went back. */
  ranAt: number | null;
  /** How often its cycle went back. */
  wave: number;
};
/** What became of the last attempt of a page that has ended. */
type Result = { readonly attempt: number; readonly isTaken: boolean };
type Entry = Changes['entries'][number];
/** What was claimed, and how long its next try may wait at most, in milliseconds. */
type Lease = { readonly attempt: number; readonly at: number; readonly waitMax: number };

const minute = 60_000;
const repeatsAtMost = 5;

type Observed = {
  readonly ledger: FragileLedger;
  /** By the body of an event, what was accepted and not decided when it was sent. */
  readonly waiting: WeakMap<Uint8Array, readonly StoredEvent[]>;
};

export function checkInvariants(observed: Observed): void {
  const { ledger } = observed;
  const seen = new Map<string, Seen>();
  const confirmed = new Set<string>();
  const paged = new Map<string, string>();
  const leased = new Map<string, Lease>();
  const results = new Map<string, Result>();
  const tried = new Set<string>();
  const withdrawn = new Set<string>();
  const shown = new Map<string, Worst>();
  /** Alerts of incidents that were seen to be theirs. */
  const members = new Set<string>();
  const isTaken = ({ intent: { key } }: NoticeRow) =>
    confirmed.has(key) || (results.get(key)?.isTaken ?? false);
  const checkShifts = createShiftCheck();
  ledger.observe = (deed: Deed) => {
    if (deed.type === 'saved') checkSaved(deed.changes, deed.now.epochMilliseconds);
    else if (deed.type === 'claimed') {
      for (const one of deed.claimed) checkClaimed(one, deed.now.epochMilliseconds);
      for (const one of deed.cancelled) checkCancelled(one);
    } else if (deed.type === 'decided') checkOrder(observed, deed.events);
    else if (deed.type === 'reported') {
      const { key, attempt, receipt } = deed.report;
      if (confirms(receipt)) confirmed.add(key);
      // It ends what is known of the attempt, which its server may never record.
      if (confirms(receipt) && leased.get(key)?.attempt === attempt) leased.delete(key);
    } else if (deed.type === 'advanced') checkShifts(deed.changes);
    else if (deed.type === 'jumped') jumped(deed.jump);
    else
      for (const { claimed, state, wakeAt, finishedAt, reportedBy } of deed.attempts) {
        const { key, attempt } = claimed;
        if (attempt >= (results.get(key)?.attempt ?? 0))
          results.set(key, { attempt, isTaken: state === 'sent' || reportedBy !== undefined });
        const lease = leased.get(claimed.key);
        if (lease?.attempt === claimed.attempt && wakeAt !== null) {
          const waits = wakeAt.epochMilliseconds - finishedAt.epochMilliseconds;
          assert.ok(waits <= lease.waitMax, `${claimed.key} waits longer than its step`);
        }
        if (leased.get(claimed.key)?.attempt === claimed.attempt) leased.delete(claimed.key);
        if (state === 'sent') confirmed.add(claimed.key);
      }
  };

  /** What waited goes on waiting, as if the clock had not jumped. */
  function jumped({ ms, mayBeTime }: Jump): void {
    if (mayBeTime) return;
    for (const [id, one] of seen) {
      // What cannot be read is not moved.
      if (isCorrupt(ledger, { of: 'incident', id })) continue;
      if (one.due !== null) one.due += ms;
      if (one.ranAt !== null) one.ranAt += ms;
    }
    for (const [key, lease] of leased) leased.set(key, { ...lease, at: lease.at + ms });
  }

  function checkClaimed(claimed: Claimed, now: number): void {
    const lease = leased.get(claimed.key);
    assert.ok(!lease || now >= lease.at + minute, `${claimed.key} is sent by two at once`);
    tried.add(claimed.key);
    assert.ok(!withdrawn.has(claimed.key), `${claimed.key} is sent and was withdrawn`);
    leased.set(claimed.key, { attempt: claimed.attempt, at: now, waitMax: waitMaxOf(claimed) });
    assert.ok(!confirmed.has(claimed.key), `${claimed.key} is sent again after its confirmation`);
    if (claimed.about !== 'incident') return;
    if (!isPage(claimed)) return;
    const one = seen.get(claimed.incident.id);
    assert.ok(one, `${claimed.key} is sent for an incident nobody saw open`);
    assert.equal(one.status, 'triggered', `${claimed.key} is sent while ${one.status}`);
    assert.ok(!one.muted, `${claimed.key} is sent while muted`);
    // Pages of playbooks belong to no cycle.
    if (claimed.kind !== 'page' || claimed.cycle === noCycle) return;
    assert.equal(claimed.cycle, one.cycle, `${claimed.key} is stale`);
  }

  /** A mute holds pages and cancels none. */
  function checkCancelled(claimed: Claimed): void {
    if (claimed.about !== 'incident' || claimed.kind !== 'page') return;
    if (withdrawn.has(claimed.key)) return;
    const one = seen.get(claimed.incident.id);
    const isStale = claimed.cycle !== noCycle && claimed.cycle !== one?.cycle;
    // A round that began while it was muted has not fired yet.
    const isStopped = one?.status !== 'triggered' || one.anew;
    assert.ok(isStale || isStopped, `${claimed.key} is cancelled, and its incident still stands`);
  }

  function checkSaved(changes: Changes, now: number): void {
    const incidents = [...changes.opened, ...changes.changed];
    // A clock that goes back makes any time short.
    for (const one of seen.values()) if (one.ranAt !== null && now < one.ranAt) one.ranAt = null;
    for (const entry of changes.entries) {
      const last = incidents.findLast((one) => one.id === entry.incident_id);
      const incident = last ?? ledger.incidents.get(entry.incident_id);
      assert.ok(incident, `an entry of no incident: ${entry.text}`);
      follow(entry, incident, now);
    }
    for (const one of seen.values()) one.requested = false;
    for (const intent of changes.intents) {
      const { incident_id, cycle, step, channel, address } = intent;
      // Pages of playbooks belong to no step.
      if (intent.kind !== 'page' || step < 0) continue;
      const wave = seen.get(incident_id)?.wave ?? 0;
      const who = `${incident_id} ${cycle} ${wave} ${step} ${channel} ${address}`;
      assert.equal(paged.get(who) ?? intent.key, intent.key, `${who} is paged under two keys`);
      paged.set(who, intent.key);
    }
    for (const incident of incidents) checkIncident(incident);
    for (const incident of incidents) checkAlerts(incident, { ledger, members });
    for (const incident of incidents) checkShown(incident, changes.entries);
  }

  /** What is worse than all that the pages of its cycle showed, pages again. */
  function checkShown(incident: Incident, entries: readonly Entry[]): void {
    const { id, escalation } = incident;
    const one = seen.get(id);
    if (one === undefined || !isOpen(incident)) return;
    const worst = escalation.worst ?? { severity: null, priority: null };
    // Of a step that reaches nobody, the admins are notified.
    const hasRun = entries.some(
      ({ incident_id, type }) => incident_id === id && /^step_(ran|skipped)$/.test(type),
    );
    const before = shown.get(id);
    if (hasRun || before === undefined) {
      if (hasRun) shown.set(id, shownBy(incident, worst));
      return;
    }
    const isWorse = (['severity', 'priority'] as const).some((field) => {
      const [now, then] = [worst[field], before[field]];
      // A rule or a person may have shown it as worse than its alerts are.
      const isSet =
        (incident[field] !== null && now !== null && incident[field] < now) ||
        entries.some((entry) => entry.incident_id === id && doneBy(entry) === field);
      return now !== null && (then === null || now < then) && !isSet;
    });
    if (!isWorse) {
      // What people, rules and playbooks set counts as shown, and is that of its first alert.
      shown.set(id, shownBy(incident, before));
      return;
    }
    assert.ok(one.anew || one.muted || one.due !== null, `${id} is worse, and nobody is paged`);
    shown.set(id, shownBy(incident, worst));
  }

  function follow(entry: Entry, incident: Incident, now: number): void {
    assert.notEqual(entry.type, 'undecided', entry.text);
    const fresh: Seen = {
      status: 'triggered',
      muted: false,
      cycle: 0,
      step: -1,
      repeats: 0,
      due: now,
      left: null,
      requested: false,
      anew: false,
      ranAt: null,
      wave: 0,
    };
    const one = seen.get(incident.id) ?? fresh;
    seen.set(incident.id, one);
    if (entry.type === 'step_ran' || entry.type === 'step_skipped')
      checkStep(one, entry, incident, now);
    else if (entry.type === 'step_failed') failed(one, entry, now);
    else if (entry.type === 'step_taken') wentBack(one, entry, incident, now);
    else changed(one, entry, { now, delay: incident.escalation.delayMinutes * minute });
  }

  /** The step after it need not be waited for. */
  function failed(one: Seen, entry: Entry, now: number): void {
    const { step } = entry.details as { step: number };
    const at = `${entry.incident_id} cycle ${one.cycle} step ${step}`;
    assert.equal(one.status, 'triggered', `${at} is given up while ${one.status}`);
    assert.equal(step, one.step, `${at} is given up and was not the last to fire`);
    // One that was withdrawn while it was being sent belongs to the round before.
    const pages = pagesOf(ledger, entry.incident_id, { cycle: one.cycle, step }).filter(
      ({ intent }) => !withdrawn.has(intent.key),
    );
    assert.ok(!pages.some(isTaken), `${at} is given up, and a page of it was taken`);
    const isLate = (span: number) => one.ranAt === null || now >= one.ranAt + span;
    const isTried = pages.some(({ intent }) => tried.has(intent.key));
    const isOver = isLate(isTried ? minute : 3 * minute);
    assert.ok(areLost(pages) || isOver, `${at} is given up too soon`);
    if (one.muted) one.left = 0;
    else one.due = now;
  }

  /** Later steps, of which no page was taken, are withdrawn. */
  function wentBack(one: Seen, entry: Entry, incident: Incident, now: number): void {
    const { cycle, step } = entry.details as { cycle: number; step: number };
    const at = `${entry.incident_id} goes back to cycle ${cycle} step ${step}`;
    assert.equal(one.status, 'triggered', `${at} while ${one.status}`);
    assert.equal(cycle, one.cycle, `${at} of another cycle`);
    assert.ok(step <= one.step, `${at}, which has not fired`);
    const pages = pagesOf(ledger, incident.id, { cycle }).filter(
      ({ intent }) => !withdrawn.has(intent.key),
    );
    const stepOf = ({ intent }: NoticeRow) => ('step' in intent ? intent.step : -1);
    assert.ok(
      pages.some((page) => stepOf(page) === step && isTaken(page)),
      `${at} for nothing`,
    );
    for (const page of pages.filter((one) => stepOf(one) > step)) {
      assert.ok(!isTaken(page), `${at}, and ${page.intent.key} was taken`);
      withdrawn.add(page.intent.key);
    }
    one.step = step;
    one.wave += 1;
    one.ranAt = now;
    const isLast = step === incident.steps.length - 1;
    const wait = (incident.steps[step]?.escalate_after_minutes ?? 0) * minute;
    const { repeats } = incident.escalation;
    const due = isLast ? (repeats ? 10 * minute : null) : wait;
    if (one.muted) one.left = due;
    else one.due = due === null ? null : now + due;
  }

  function checkStep(one: Seen, entry: Entry, incident: Incident, now: number): void {
    // What the engine writes with these two types of entry.
    const { cycle, step } = entry.details as { cycle: number; step: number };
    const at = `${incident.id} cycle ${cycle} step ${step}`;
    assert.equal(one.status, 'triggered', `${at} fires while ${one.status}`);
    assert.ok(!one.muted, `${at} fires while muted`);
    if (!one.requested)
      assert.ok(one.due !== null && now >= one.due, `${at} fires before its wait`);
    if (cycle === one.cycle) assert.equal(step, one.step + 1, `${at} is out of order`);
    else {
      // Cycles that began while it was muted never fired.
      assert.ok(cycle > one.cycle && step === 0, `${at} begins a cycle out of order`);
      one.repeats = one.anew ? 0 : one.repeats + 1;
      assert.ok(one.repeats <= repeatsAtMost, `${at} repeats too often`);
    }
    one.anew = false;
    if (cycle !== one.cycle) one.wave = 0;
    one.ranAt = now;
    one.cycle = cycle;
    one.step = step;
    // As the entry has it: a playbook may have changed the policy since.
    const isLast = entry.text.startsWith(`Step ${step + 1} of ${step + 1} `);
    const wait = incident.steps[step]?.escalate_after_minutes ?? 0;
    if (isLast) one.due = incident.escalation.repeats ? now + 10 * minute : null;
    else if (entry.type === 'step_ran') {
      one.due = now + wait * minute;
      one.requested = false;
    }
  }
}

function changed(one: Seen, entry: Entry, at: { now: number; delay: number }): void {
  const { now } = at;
  const requestStep = () => {
    one.status = 'triggered';
    one.requested = !one.muted;
    one.anew = true;
    one.due = null;
    one.left = one.muted ? 0 : null;
  };
  const stop = (status: Seen['status']) => Object.assign(one, { status, due: null, left: null });
  switch (entry.type) {
    case 'paging_delayed':
      one.due = now + at.delay;
      break;
    case 'paging_put_off':
      one.due = Date.parse((entry.details as { until: string }).until);
      break;
    case 'paging_resumed':
      if (one.muted) one.left = one.left === null ? null : 0;
      else one.due = now;
      break;
    case 'acknowledged':
      stop('acknowledged');
      break;
    case 'resolved':
    case 'merged':
      stop('resolved');
      break;
    case 'reopened':
      one.muted = false;
      requestStep();
      break;
    case 'paged_again': {
      const { at: due } = (entry.details ?? {}) as { readonly at?: string };
      requestStep();
      if (due !== undefined) Object.assign(one, { requested: false, due: Date.parse(due) });
      break;
    }
    case 'unacknowledged':
    case 'escalated':
      requestStep();
      break;
    case 'rule_applied':
    case 'playbook_applied':
      if (isMove(entry) && one.status === 'triggered') requestStep();
      break;
    case 'muted':
      one.left = one.due === null ? one.left : Math.max(0, one.due - now);
      one.due = null;
      one.ranAt = null;
      one.muted = true;
      break;
    case 'unmuted':
      one.due = one.left === null ? null : now + one.left;
      one.left = null;
      one.muted = false;
  }
}

/** Whom it pages from now on has changed. */
const isMove = ({ details }: Entry) =>
  ['escalationPolicy', 'integration'].includes((details as { action: string }).action);

/** A page that is refused for a while is tried again before its step is over. */
function waitMaxOf(claimed: Claimed): number {
  if (claimed.about !== 'incident' || claimed.kind !== 'page') return Number.POSITIVE_INFINITY;
  const { steps } = claimed.incident;
  // After the last one only a repeat would come.
  const step = claimed.step < steps.length - 1 ? steps[claimed.step] : undefined;
  return (step?.escalate_after_minutes ?? 10) * minute;
}

/** What was accepted and waited when an event was sent is not overtaken by it. */
function checkOrder({ ledger, waiting }: Observed, events: readonly StoredEvent[]): void {
  for (const event of events)
    for (const before of waiting.get(event.body) ?? []) {
      if (before.integration_id !== event.integration_id) continue;
      assert.ok(ledger.events.get(before.id)?.decision, `${before.id} was overtaken`);
    }
}

/** What a rule or a playbook did; undefined: it was something else. */
const doneBy = ({ details }: Entry) => (details as { action?: string } | null)?.action;

/** The worse of what its alerts have reported and of what it was set to. */
function shownBy({ severity, priority }: Incident, worst: Worst): Worst {
  const worse = (one: string | null, other: string | null) =>
    [one, other].filter((value) => value !== null).sort()[0] ?? null;
  return {
    severity: worse(severity, worst.severity),
    priority: worse(priority, worst.priority),
  };
}

/** An incident is open while one of its alerts fires, and a key belongs to one open incident. */
function checkAlerts(
  incident: Incident,
  { ledger, members }: { readonly ledger: FragileLedger; readonly members: Set<string> },
): void {
  const { id } = incident;
  const alerts = alertsOf(incident);
  if (incident.alerts !== undefined) {
    const firing = alerts.filter(({ state }) => state === 'firing');
    if (isOpen(incident))
      assert.ok(firing.length > 0, `${id} is open, and none of its alerts fires`);
    else assert.equal(firing.length, 0, `${id} is resolved, and an alert of it fires`);
  }
  if (!isOpen(incident) || isCorrupt(ledger, { of: 'incident', id })) return;
  for (const key of alerts) {
    const member = `${id} ${alertText(key)}`;
    if (members.has(member)) continue;
    members.add(member);
    const { integrations } = ledger.configurationOf(incident.organization_id);
    // There every trigger opens an incident.
    if (integrations.get(key.integration_id)?.disableSuppression) continue;
    const others = [alertText(key), keyText(key)]
      .flatMap((text) => ledger.incidents.inGroup(text))
      .filter((one) => isOpen(one) && one.id !== id && one.alerts !== undefined)
      // To what cannot be read, an alert is as if it were not there.
      .filter((one) => !isCorrupt(ledger, { of: 'incident', id: one.id }));
    const isSplit = others.some((one) => one.alerts?.some(isOf(key)));
    assert.ok(!isSplit, `${key.dedup_key} belongs to ${id} and another open incident`);
  }
}

const isOf =
  ({ integration_id, dedup_key }: IncidentAlert) =>
  (other: IncidentAlert): boolean =>
    other.integration_id === integration_id && other.dedup_key === dedup_key;

/** Nothing open is forgotten: it has a timer, or is acknowledged, muted for good or exhausted. */
function checkIncident(incident: Incident): void {
  if (!isOpen(incident) || wakeAt(incident) !== null) return;
  const { nextStep, repeats, repeatsLeft } = incident.escalation;
  const isExhausted = nextStep >= incident.steps.length && !(repeats && repeatsLeft > 0);
  const isHeld = incident.muted_until?.equals(forGood) ?? false;
  const rests = incident.status === 'acknowledged' || isHeld || isExhausted;
  assert.ok(rests, `${incident.id} is open and nothing will wake it`);
}

const pagesOf = (
  { outbox }: FragileLedger,
  id: string,
  of: { readonly cycle: number; readonly step?: number },
): readonly NoticeRow[] =>
  outbox.inGroup(id).filter(({ intent }) => {
    if (!('step' in intent) || intent.kind !== 'page' || intent.cycle !== of.cycle) return false;
    return of.step === undefined || intent.step === of.step;
  });

/** No page of them was sent, or is tried again. */
const areLost = (pages: readonly NoticeRow[]): boolean =>
  pages.every(({ state }) => state === 'failed' || state === 'cancelled');

/**
 * While no page of the last step was taken, somebody else is or was made due, or there is a time by
 * which one must be: when none is left and nothing of the round was taken, admins are told.
 */
export function checkNoSilence(ledger: FragileLedger): void {
  for (const { id, status, steps, muted_until, escalation } of ledger.incidents.values()) {
    const { cycle, nextStep, stepAt, stepRemainingMs, takenBy = null } = escalation;
    const pages = roundOf(ledger, id);
    const step = Math.max(...pages.map((page) => page.step));
    const own = pages.filter((page) => page.step === step);
    const isTaken = (nextStep < steps.length ? own : pages).some(({ state }) => state === 'taken');
    if (status !== 'triggered' || own.length === 0 || isTaken || takenBy !== null) continue;
    if (muted_until !== null && (escalation.takenByRemainingMs ?? null) !== null) continue;
    const entries = [...ledger.timeline.values()].filter((one) => one.incident_id === id);
    const last = (...types: string[]) => entries.findLastIndex(({ type }) => types.includes(type));
    const failedAt = entries[last('notice_failed')]?.at;
    const wasDue = stepRemainingMs === 0 || (failedAt !== undefined && isDue(stepAt, failedAt));
    // Of one that could not be read, the admins were told just that.
    const heard = last('nobody_paged', 'step_failed', 'undecided') > last('step_ran', 'step_taken');
    const isHeard = heard || (nextStep < steps.length && wasDue);
    assert.ok(isHeard, `no page of ${id} in cycle ${cycle} was taken, and nobody heard`);
  }
}

/** The pages of the present cycle that are not withdrawn. */
export function roundOf(ledger: FragileLedger, id: string): readonly RoundPage[] {
  const incident = ledger.incidents.get(id);
  if (!incident) return [];
  return readRound(ledger, incident).filter(
    (page) => withdrawnFor({ kind: 'page', ...page }, incident.escalation) === null,
  );
}

/** A page that nobody has tried to send is due, unless a mute holds it or it cannot be read. */
export function checkNoneHeld({ incidents, outbox }: FragileLedger, now: Temporal.Instant): void {
  for (const { intent, state, attempts, reason, wakeAt } of outbox.values()) {
    if (intent.kind !== 'page' || state !== 'pending' || attempts > 0 || reason !== null) continue;
    if (isDue(wakeAt, now)) continue;
    const incident = incidents.get(intent.incident_id);
    // Of a cycle before: it is cancelled when its time comes.
    const { cycle } = incident?.escalation ?? {};
    if (intent.cycle !== noCycle && intent.cycle !== cycle) continue;
    const { status, muted_until } = incident ?? {};
    // The end of a mute wakes its pages, also if it is due and not done yet.
    const isHeld = muted_until != null;
    assert.ok(status !== 'triggered' || isHeld, `${intent.key} waits until ${wakeAt} for nothing`);
  }
}

/** At the end: whoever was paged has been told of it, also by the incident that theirs became. */
export function checkAllNotified(ledger: FragileLedger): void {
  const { incidents, outbox } = ledger;
  const endOf = (id: string): Incident => {
    const incident = incidents.get(id);
    assert.ok(incident, `${id} has pages and is gone`);
    return incident.merged_into_id === null ? incident : endOf(incident.merged_into_id);
  };
  for (const { intent, recipientKey, attempts, tried = [] } of outbox.values()) {
    if (!('incident_id' in intent) || !isPage(intent) || attempts === 0) continue;
    const { id, escalation } = endOf(intent.incident_id);
    // At whichever contact the page was by then.
    const before = tried.map(({ address }) => ledger.recipientKeyOf({ ...intent, address }));
    const isNotified = [recipientKey, ...before].some((key) =>
      outbox.has(`${id}/${escalation.cycle}/all_clear/${key}`),
    );
    assert.ok(isNotified, `${recipientKey} had ${intent.key} and was not told of the end of ${id}`);
  }
}
