import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTimeZone } from '../resources/validate.ts';
import { timeOfDay, weekdayIndex } from './wall-clock.ts';

test('a zone is what the platform knows, as it was written', () => {
  for (const name of ['Europe/Berlin', 'europe/berlin', 'UTC', 'Etc/UTC', 'US/Pacific', '+05:30'])
    assert.equal(isTimeZone(name), true, name);
  for (const name of ['', 'Berlin', 'Europe/Atlantis', '2026-01-01T00:00Z', 'Europe/Berlin '])
    assert.equal(isTimeZone(name), false, name);
});

test('a weekday that is none is an error, never another day', () => {
  assert.equal(weekdayIndex('sunday'), 6);
  assert.throws(() => weekdayIndex('Sunday'), RangeError);
});

test('a time of day that is none is an error, never midnight', () => {
  assert.equal(timeOfDay('09:30'), 34_200_000);
  for (const text of ['', 'noon', '24:00', '9:30'])
    assert.throws(() => timeOfDay(text), RangeError);
});
