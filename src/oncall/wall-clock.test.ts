import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeOfDay, weekdayIndex } from './wall-clock.ts';

test('a weekday that is none is an error, never another day', () => {
  assert.equal(weekdayIndex('sunday'), 6);
  assert.throws(() => weekdayIndex('Sunday'), RangeError);
});

test('a time of day that is none is an error, never midnight', () => {
  assert.equal(timeOfDay('09:30'), 34_200_000);
  for (const text of ['', 'noon', '24:00', '9:30'])
    assert.throws(() => timeOfDay(text), RangeError);
});
