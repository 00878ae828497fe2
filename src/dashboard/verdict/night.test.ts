import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beforeThisMorning, isNight } from './night.ts';

const at = (day: number, hour: number, minute = 0) =>
  new Date(2026, 2, day, hour, minute).getTime();

test('nobody is asked from 22:00 to 7:00', () => {
  const hours = [0, 6, 7, 12, 21, 22, 23].map((hour) => [hour, isNight(at(3, hour))]);
  assert.deepEqual(hours, [
    [0, true],
    [6, true],
    [7, false],
    [12, false],
    [21, false],
    [22, true],
    [23, true],
  ]);
  assert.equal(isNight(at(3, 6, 59)), true);
  assert.equal(isNight(at(3, 21, 59)), false);
});

test('by day it is about what ended between the mornings, and the same until the evening', () => {
  const span = { from: at(2, 7), to: at(3, 7) };
  assert.deepEqual(beforeThisMorning(at(3, 7)), span);
  assert.deepEqual(beforeThisMorning(at(3, 21, 59)), span);
  assert.equal(beforeThisMorning(at(3, 22)), null);
  assert.equal(beforeThisMorning(at(4, 3)), null);
});
