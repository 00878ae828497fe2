import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockIn, isTimeZone } from './time-zone.ts';

test('a zone is what the platform knows, as it was written', () => {
  const zones = ['Europe/Berlin', 'europe/berlin', 'UTC', 'Etc/UTC', 'US/Pacific', '+05:30', 'IST'];
  for (const name of zones) assert.equal(isTimeZone(name), true, name);
  for (const name of ['', 'Berlin', 'Europe/Atlantis', '2026-01-01T00:00Z', 'Europe/Berlin '])
    assert.equal(isTimeZone(name), false, name);
});

test('every name that is taken for a zone has a clock, old ones too', () => {
  const at = Temporal.Instant.from('2026-07-01T12:00Z');
  const shown = (name: string) => clockIn(name, at).toPlainTime().toString();
  assert.equal(shown('IST'), '17:30:00');
  assert.equal(shown('PST'), '05:00:00');
  assert.equal(shown('US/Pacific-New'), '05:00:00');
  // No clock that Temporal could set.
  assert.equal(isTimeZone('SystemV/PST8PDT'), false);
});
