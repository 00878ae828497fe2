import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apart, routeThrough, shownRecipient } from './recipient.ts';

test('a person and the schedule that they are on call by are read together', () => {
  const route = routeThrough('Payments', false);
  assert.equal(shownRecipient({ recipient: 'Ada', route }), 'Ada (on call of Payments)');
  assert.equal(
    shownRecipient({ recipient: 'Ada', route: routeThrough('Payments', true) }),
    'Ada (on call of Payments, by an override)',
  );
  assert.equal(shownRecipient({ recipient: 'Ada' }), 'Ada');
  assert.equal(shownRecipient({ recipient: null }), '');
});

test('what an earlier release stored in one text is taken apart', () => {
  for (const [stored, recipient, route] of [
    ['Ada (on call of Payments)', 'Ada', 'on call of Payments'],
    ['Ada (Shop) (on call of Pay (EU))', 'Ada (Shop)', 'on call of Pay (EU)'],
    ['Ada (on call of a schedule whose na', 'Ada', 'on call of a schedule whose na'],
    ['Ada (Shop)', 'Ada (Shop)', undefined],
    ['on call of Payments', 'on call of Payments', undefined],
  ] as const) {
    const read = apart<{ recipient: string; route?: string }>({ recipient: stored });
    assert.deepEqual([read.recipient, read.route], [recipient, route], stored);
  }
  const whole = { recipient: 'Ada', route: 'on call of Payments' };
  assert.equal(apart(whole), whole);
  const none = { recipient: null };
  assert.equal(apart(none), none);
});
