import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTimeZone } from '../resources/validate.ts';
import { instantOf, weekdayIndex } from './wall-clock.ts';

test('a zone is what the platform knows, as it was written', () => {
  for (const name of ['Europe/Berlin', 'europe/berlin', 'UTC', 'Etc/UTC', 'US/Pacific', '+05:30'])
    assert.equal(isTimeZone(name), true, name);
  for (const name of ['', 'Berlin', 'Europe/Atlantis', '2026-01-01T00:00Z', 'Europe/Berlin '])
    assert.equal(isTimeZone(name), false, name);
});

test('every zone that is accepted can be calculated with', () => {
  const day = Temporal.PlainDate.from('2026-03-29');
  for (const name of [
    ...Intl.supportedValuesOf('timeZone'),
    'utc',
    'EST5EDT',
    '+0530',
    'Etc/GMT+5',
  ])
    assert.ok(isTimeZone(name) && instantOf(day, '02:30', name), name);
});

test('a weekday that is none is an error, never another day', () => {
  assert.equal(weekdayIndex('sunday'), 6);
  assert.throws(() => weekdayIndex('Sunday'), RangeError);
});
