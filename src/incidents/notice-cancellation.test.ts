import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eve, Life } from '../../test/incident-life.ts';
import { forGood, type Incident, type Intent, isPage } from './incident.ts';
import { cancellationReason, heldUntil, isWanted, noticeEntry } from './notice-cancellation.ts';

function lifeOf(...events: ('acknowledge' | 'resolve' | 'mute' | 'restart')[]): Incident {
  const life = new Life();
  for (const [index, event] of events.entries()) {
    if (event === 'mute') life.does({ type: 'mute', by: eve, until: null }, index);
    else if (event === 'restart') {
      life.does({ type: 'acknowledge', by: eve }, index);
      life.does({ type: 'unacknowledge', by: eve }, index);
    } else life.does({ type: event, by: eve }, index);
  }
  return life.incident;
}

const incidents = {
  triggered: lifeOf(),
  acknowledged: lifeOf('acknowledge'),
  resolved: lifeOf('resolve'),
  muted: lifeOf('mute'),
  'in a new cycle': lifeOf('restart'),
};
const isAcknowledged = 'the incident is acknowledged';
const isResolved = 'the incident is resolved';
const restarted = 'paging has started again since then';
const wasReopened = 'the incident was reopened';
const table: Record<Intent['kind'], (string | null)[]> = {
  page: [null, isAcknowledged, isResolved, null, restarted],
  nobody_paged: [null, isAcknowledged, isResolved, null, restarted],
  not_all_paged: [null, isAcknowledged, isResolved, null, restarted],
  all_clear: [wasReopened, wasReopened, null, wasReopened, wasReopened],
  assigned: [null, null, isResolved, null, null],
  responder_added: [null, null, isResolved, null, null],
  storm: [null, null, null, null, null],
  webhook: [null, null, null, null, null],
};

for (const [kind, reasons] of Object.entries(table) as [Intent['kind'], (string | null)[]][])
  for (const [index, [state, incident]] of Object.entries(incidents).entries())
    test(`${kind} while ${state}: ${reasons[index] ?? 'is wanted'}`, () => {
      const notice = { kind, cycle: 0, step: 0, recipient: 'ada', channel: 'email' };
      assert.equal(cancellationReason(notice, incident), reasons[index]);
      const isHeld = state === 'muted' && isPage(notice);
      assert.equal(isWanted(notice, incident), reasons[index] === null && !isHeld);
    });

test('what became of a notice says whom it was for and how', () => {
  const notice = { kind: 'page', cycle: 0, step: 0, recipient: 'Ada', channel: 'sms' } as const;
  const entry = noticeEntry(notice, incidents.triggered, { type: 'notice_sent', text: 'was sent' });
  assert.equal(entry.text, 'The page to Ada by SMS was sent');
});

describe('a notice that a mute overtakes', () => {
  const now = Temporal.Instant.from('2026-11-21T09:00:00Z');
  const soon = now.add({ seconds: 30 });
  const inTenSeconds = now.add({ seconds: 10 });
  const rows: readonly (readonly [string, Intent['kind'], Temporal.Instant | null, unknown])[] = [
    ['a page waits for the end', 'page', inTenSeconds, inTenSeconds],
    ['which may come early', 'page', now.add({ minutes: 10 }), soon],
    ['or only when somebody says so', 'page', forGood, soon],
    ['as a page to an admin does', 'nobody_paged', forGood, soon],
    ['an all-clear does not wait', 'all_clear', forGood, null],
    ['and no page without a mute', 'page', null, null],
  ];
  for (const [title, kind, muted_until, until] of rows)
    test(title, () => {
      const notice = { kind, cycle: 0, step: 0, recipient: 'Ada', channel: 'email' };
      assert.deepEqual(heldUntil(notice, { ...lifeOf(), muted_until }, now), until);
    });
});
