import assert from 'node:assert/strict';
import { test } from 'node:test';
import { later, noon } from '../../../test/incident-life.ts';
import {
  type Receipt,
  type ReceiptState,
  type ReportedAttempt,
  receiptResult,
  resultOf,
} from './receipt.ts';

const receiptOf = (state: ReceiptState, fields: Partial<Receipt> = {}): Receipt => ({
  state,
  reason: '',
  blame: null,
  ...fields,
});
const attemptWith = (fields: Partial<ReportedAttempt> = {}): ReportedAttempt => ({
  isPending: true,
  isLast: true,
  isHandedOver: true,
  receipt: null,
  contact: null,
  handedOverAt: null,
  callsBefore: 0,
  ...fields,
});
const nothing = { notice: null, text: null };
const again = (minutes: number) => ({ state: 'pending', wakeAt: later(minutes) });

test('what each receipt means for a notice that waits for it', () => {
  const results = {
    sent: nothing,
    answered: { notice: again(2), text: null },
    undelivered: { notice: again(0), text: 'was not delivered' },
    unanswered: { notice: again(1), text: 'reached nobody' },
    read_out: { notice: again(1), text: 'was read out' },
    delivered: { notice: { state: 'sent' }, text: 'was delivered' },
    acted: { notice: { state: 'sent' }, text: 'was answered with a key' },
  };
  for (const [state, result] of Object.entries(results))
    assert.deepEqual(
      receiptResult(attemptWith(), receiptOf(state as ReceiptState), noon),
      result,
      state,
    );
});

test('who did not answer is called again after a minute, and then no more', () => {
  const busy = receiptOf('unanswered', { reason: 'busy' });
  const first = receiptResult(attemptWith(), busy, noon);
  assert.deepEqual(first, { notice: again(1), text: 'reached nobody: busy' });
  const second = receiptResult(attemptWith({ callsBefore: 1 }), busy, noon);
  assert.deepEqual(second?.notice, again(0));
});

test('receipts that come twice, late or in the wrong order change nothing', () => {
  const afterwards: readonly [ReceiptState, readonly ReceiptState[]][] = [
    ['sent', ['sent']],
    ['answered', ['sent', 'answered']],
    ['unanswered', ['sent', 'answered', 'unanswered', 'undelivered']],
    ['read_out', ['sent', 'answered', 'unanswered', 'read_out', 'undelivered']],
    ['delivered', ['sent', 'answered', 'undelivered', 'unanswered', 'delivered']],
    ['acted', ['sent', 'answered', 'undelivered', 'unanswered', 'delivered', 'acted']],
  ];
  for (const [before, ignored] of afterwards)
    for (const state of ignored) {
      const attempt = attemptWith({ receipt: receiptOf(before) });
      assert.equal(receiptResult(attempt, receiptOf(state), noon), null, `${before} ${state}`);
    }
});

test('what was confirmed late is confirmed, even of an attempt before the last', () => {
  const earlier = attemptWith({ isLast: false, receipt: receiptOf('undelivered') });
  assert.deepEqual(receiptResult(earlier, receiptOf('delivered'), noon)?.notice, {
    state: 'sent',
  });
  assert.deepEqual(receiptResult(earlier, receiptOf('acted'), noon)?.notice, { state: 'sent' });
});

test('of several contacts the one is named that a receipt is of', () => {
  const first = attemptWith({ isLast: false, contact: '…5678' });
  assert.equal(receiptResult(first, receiptOf('delivered'), noon)?.text, 'was delivered at …5678');
  const busy = receiptOf('unanswered', { reason: 'busy' });
  const last = attemptWith({ contact: '…5432' });
  assert.equal(receiptResult(last, busy, noon)?.text, 'reached nobody at …5432: busy');
});

test('the connection is named, and how long after the vendor took it', () => {
  const rows: readonly (readonly [number | null, string | undefined, string])[] = [
    [12, 'Twilio Paris', 'was answered with a key by Twilio Paris after 12 seconds'],
    [12.4, undefined, 'was answered with a key after 12 seconds'],
    [119, undefined, 'was answered with a key after 119 seconds'],
    [120, undefined, 'was answered with a key after 2 minutes'],
    [0.4, 'Twilio Paris', 'was answered with a key by Twilio Paris'],
    [-60, 'Twilio Paris', 'was answered with a key by Twilio Paris'],
    [null, undefined, 'was answered with a key'],
  ];
  for (const [seconds, connectionName, text] of rows) {
    const handedOverAt =
      seconds === null ? null : noon.subtract({ milliseconds: Math.round(seconds * 1_000) });
    const attempt = attemptWith({ connectionName, handedOverAt });
    assert.equal(receiptResult(attempt, receiptOf('acted'), noon)?.text, text);
  }
  const rang = attemptWith({
    contact: '…5678',
    connectionName: 'Twilio Paris',
    handedOverAt: noon.subtract({ seconds: 25 }),
  });
  const unanswered = receiptOf('unanswered', { reason: 'no answer' });
  assert.equal(
    receiptResult(rang, unanswered, noon)?.text,
    'reached nobody at …5678 by Twilio Paris after 25 seconds: no answer',
  );
});

test('a failure of an attempt before the last starts no other', () => {
  const earlier = attemptWith({ isLast: false });
  assert.deepEqual(receiptResult(earlier, receiptOf('undelivered'), noon), nothing);
});

test('a failure that comes before the answer of the vendor waits for it', () => {
  const early = attemptWith({ isHandedOver: false });
  assert.deepEqual(receiptResult(early, receiptOf('unanswered'), noon), nothing);
  assert.deepEqual(resultOf(attemptWith(), receiptOf('unanswered'), noon).notice, again(1));
});

test('a report of what nobody answered shows that the vendor has it', () => {
  const unanswered = attemptWith({
    isHandedOver: false,
    isUnanswered: true,
    connectionName: 'Twilio Paris',
  });
  const text = 'was accepted by Twilio Paris after all, and its receipt is pending';
  const ringing = receiptResult(unanswered, receiptOf('sent'), noon);
  assert.deepEqual(ringing, { notice: again(1), text, isTaken: true });
  const taken = receiptResult(unanswered, receiptOf('answered'), noon);
  assert.deepEqual(taken, { notice: again(2), text, isTaken: true });
  // The next attempt was begun, or the end is known already.
  const before = { ...unanswered, isLast: false };
  assert.deepEqual(receiptResult(before, receiptOf('sent'), noon), nothing);
  assert.deepEqual(receiptResult(unanswered, receiptOf('unanswered'), noon), nothing);
});

test('of a notice that has ended, only the first confirmation is told, and nothing changes', () => {
  const ended = attemptWith({ isPending: false });
  for (const state of ['undelivered', 'unanswered'] as const)
    assert.deepEqual(receiptResult(ended, receiptOf(state), noon), nothing);
  const late = receiptResult(ended, receiptOf('delivered'), noon);
  assert.deepEqual(late, { notice: null, text: 'was delivered' });
  const confirmed = attemptWith({ isPending: false, receipt: receiptOf('delivered') });
  assert.deepEqual(receiptResult(confirmed, receiptOf('acted'), noon), nothing);
});
