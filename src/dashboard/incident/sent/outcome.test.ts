import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attempt, Notice } from '../story.ts';
import { fateOf, hasMore, outcomeOf } from './outcome.ts';
import { words } from './words.ts';

const tried = (outcome: string | null, more: Partial<Attempt> = {}): Partial<Attempt> => ({
  outcome,
  ...more,
});
const notice = (
  state: Notice['state'],
  attempts: readonly Partial<Attempt>[],
  awaits_receipt = false,
): Notice => ({
  key: 'a',
  kind: 'page',
  channel: 'phone',
  state,
  awaits_receipt,
  created_at: '1',
  attempts: attempts.map((one, index) => ({
    number: index + 1,
    claimed_at: '1',
    finished_at: '1',
    outcome: null,
    reason: null,
    answer: null,
    contact: null,
    connection: null,
    receipt: null,
    ...one,
  })),
});
const receipt = { state: 'unanswered', reason: 'no answer', at: '2' };

const rows: readonly (readonly [Notice, string, readonly string[]])[] = [
  [notice('pending', []), 'pending', []],
  [notice('pending', [tried(null)]), 'pending', ['sending']],
  [
    notice('pending', [tried('handed_over')], true),
    'sent, awaiting receipt',
    ['sent, awaiting receipt'],
  ],
  [
    notice('pending', [tried('handed_over', { receipt }), tried('handed_over')], true),
    'sent, awaiting receipt',
    ['sent', 'sent, awaiting receipt'],
  ],
  [
    notice('pending', [tried('handed_over'), tried('retry')]),
    'pending',
    ['sent, no receipt', 'failed, retried'],
  ],
  [
    notice('sent', [tried('handed_over'), tried('unconfirmed')]),
    'sent, unconfirmed',
    ['sent, no receipt', 'sent, unconfirmed'],
  ],
  [
    notice('sent', [tried('delivered'), tried('unconfirmed')]),
    'sent',
    ['delivered', 'sent, unconfirmed'],
  ],
  [notice('failed', [tried('failed')]), 'failed', ['failed']],
  [notice('cancelled', []), 'not sent', []],
  [notice('sent', [tried('of tomorrow')]), 'sent', ['of tomorrow']],
];

for (const [index, [one, fate, outcomes]] of rows.entries())
  test(`the result of a notice is shown in words: ${index + 1}, ${fate}`, () => {
    assert.equal(words.fate(fateOf(one)), fate);
    assert.deepEqual(
      one.attempts.map((attempt) => words.outcome(outcomeOf(attempt, one))),
      outcomes,
    );
  });

test('attempts are listed where they tell more than the notice', () => {
  assert.equal(hasMore(notice('sent', [tried('delivered')])), false);
  assert.equal(hasMore(notice('sent', [tried('retry'), tried('delivered')])), true);
  for (const more of [{ answer: 'ok' }, { connection: { name: 'Slack' } }, { receipt }])
    assert.equal(hasMore(notice('sent', [tried('delivered', more)])), true);
});
