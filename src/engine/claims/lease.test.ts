import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noon } from '../../../test/incident-life.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { claimedAt, leaseFrom } from './lease.ts';

test('two claims of one instant have leases of their own, and were made at that instant', () => {
  const [one, other] = [leaseFrom(noon, () => 0.1), leaseFrom(noon, () => 0.9)];
  assert.notEqual(String(one), String(other));
  assert.deepEqual([one, other].map(claimedAt).map(String), [String(noon), String(noon)]);
  const whole = one.round({ smallestUnit: 'second', roundingMode: 'floor' });
  assert.equal(String(whole), String(noon.add({ seconds: sendingLimits.lease })));
});
