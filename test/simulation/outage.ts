// What an uplink that was away for some minutes leaves behind: the next people are paged meanwhile, and
// its return calls those whom the policy names first, and nobody else.
import assert from 'node:assert/strict';
import { type Incident, isDue, isMuted } from '../../src/incidents/incident.ts';
import type { RoundPage } from '../../src/incidents/page-results.ts';
import type { FragileLedger } from './fragile-ledger.ts';
import { roundOf } from './invariants.ts';

/** A round of which nothing was taken, as it was when the uplink came back. */
type Waiting = {
  readonly id: string;
  readonly cycle: number;
  readonly open: readonly RoundPage[];
};

const isPaging = (incident: Incident | undefined): incident is Incident =>
  incident?.status === 'triggered' && !isMuted(incident);

/** Nobody waits longer than a page may take. */
export function checkNobodyWaits(ledger: FragileLedger, now: Temporal.Instant): void {
  for (const incident of ledger.incidents.values()) {
    // One that could not be read waits until it is looked at again.
    if (!isPaging(incident) || ledger.postponements.get(incident.id)) continue;
    const { takenBy } = incident.escalation;
    const late = takenBy ? now.epochMilliseconds - takenBy.epochMilliseconds : 0;
    assert.ok(late <= 0, `${incident.id} waits since ${takenBy}`);
  }
}

/** But for those of which no page is tried within a minute: their receivers asked for more time. */
export function waitingIn(ledger: FragileLedger, now: Temporal.Instant): readonly Waiting[] {
  const soon = now.add({ minutes: 1 });
  return [...ledger.incidents.values()].filter(isPaging).flatMap(({ id, escalation }) => {
    const pages = roundOf(ledger, id);
    const open = pages.filter(({ state }) => state === 'open');
    const isTaken = pages.some(({ state }) => state === 'taken');
    const { cycle } = escalation;
    // What could not be read is tried when it is looked at again.
    const isSoon = open.some(({ key }) => {
      const row = ledger.outbox.get(key);
      return row !== undefined && row.reason === null && isDue(row.wakeAt, soon);
    });
    return isTaken || !isSoon ? [] : [{ id, cycle, open }];
  });
}

/** Of the pages that waited those of one step were taken, and none of a step after it from then on. */
export function checkReturn(ledger: FragileLedger, waiting: readonly Waiting[]): void {
  for (const { id, cycle, open } of waiting) {
    const incident = ledger.incidents.get(id);
    if (!isPaging(incident) || incident.escalation.cycle !== cycle) continue;
    const states = new Map(roundOf(ledger, id).map(({ key, state }) => [key, state]));
    // Somebody asked for that one: those before it take nothing back.
    const { requestedStep = 0 } = incident.escalation;
    const taken = open.filter(
      ({ key, step }) => step >= requestedStep && states.get(key) === 'taken',
    );
    const first = Math.min(...taken.map(({ step }) => step));
    const endOf = (key: string) =>
      ledger.outbox.get(key)?.lastEnded?.at.epochMilliseconds ?? Number.POSITIVE_INFINITY;
    const takenAt = Math.min(
      ...taken.filter(({ step }) => step === first).map(({ key }) => endOf(key)),
    );
    for (const { key, step } of open) {
      const isSent = ledger.outbox.get(key)?.state === 'sent';
      const isOut = isSent && step > first && endOf(key) > takenAt;
      assert.ok(!isOut, `${key} was sent after the uplink came back, as was step ${first}`);
    }
    const isTried = open.some(({ key }) => states.get(key) !== 'open');
    assert.ok(isTried, `nothing of ${id} was sent after the uplink came back`);
  }
}
