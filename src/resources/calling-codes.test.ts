import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callingCodeOf } from './calling-codes.ts';

for (const [number, code] of [
  ['+12125550123', '+1'],
  ['+18765550123', '+1'],
  ['+79161234567', '+7'],
  ['+4915112345678', '+49'],
  ['+33612345678', '+33'],
  ['+353851234567', '+353'],
  ['+4201234567', '+420'],
  ['+211912345678', '+211'],
  ['+201001234567', '+20'],
] as const)
  test(`${number} begins with ${code}`, () => assert.equal(callingCodeOf(number), code));
