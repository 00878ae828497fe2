import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CloudFailure } from './client.ts';
import { cloudFaultOf, failedReceiptOf } from './failure.ts';

const refused = (code: number, status = 400): CloudFailure => ({
  type: 'refused',
  status,
  code,
  message: 'Words',
  isTransient: false,
});

const blames: Readonly<Record<string, readonly number[]>> = {
  contact: [131026, 131021, 131049, 130472],
  connection: [
    ...[0, 190, 3, 10, 200, 299, 33, 368, 131005, 131031, 131037, 131042, 131045, 131048, 133010],
    ...[132000, 132001, 132005, 132007, 132012, 132015, 132016, 132999, 130497],
  ],
  later: [131047, 131056, 130429, 80007, 4, 1, 2, 131000, 131016, 131057, 133004],
  unlisted: [100, 131008, 131009, 131051, 424242],
};
for (const [blame, codes] of Object.entries(blames))
  test(`errors for which ${blame} is to blame`, () => {
    for (const code of codes) assert.equal(cloudFaultOf(refused(code)).blame, blame, String(code));
  });

const reported: readonly (readonly [code: number, blame: string])[] = [
  [131026, 'contact'],
  [131042, 'connection'],
  [190, 'connection'],
  [132015, 'connection'],
  [131047, 'later'],
  [424242, 'later'],
  [0, 'later'],
];
for (const [code, blame] of reported)
  test(`a receipt of ${code} did not arrive, and ${blame} is to blame`, () => {
    const { state, blame: actual } = failedReceiptOf(code);
    assert.deepEqual([state, actual], ['undelivered', blame]);
  });

test('what is too much at once says what has to wait', () => {
  const full = (code: number) => cloudFaultOf(refused(code)).full;
  assert.deepEqual([131056, 130429, 80007, 4].map(full), ['person', 'number', 'number', 'number']);
  assert.equal(cloudFaultOf(refused(0, 429)).full, 'number');
  assert.equal(cloudFaultOf(refused(0, 429)).blame, 'later');
});

test('an error of the service may have sent the message, a wrong permission has not', () => {
  const { maybeExecuted, isOutage } = cloudFaultOf(refused(131000, 500));
  assert.deepEqual([maybeExecuted, isOutage], [true, true]);
  // Meta answers a missing permission with status 500.
  const permission = cloudFaultOf(refused(3, 500));
  assert.deepEqual([permission.maybeExecuted, permission.isOutage], [false, undefined]);
});
