import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTime, spanText } from './times.ts';

const now = Temporal.Instant.from('2026-11-21T23:30:00Z');

test('a time is on the clock of its reader, with the day where that is not today', () => {
  const cases = [
    ['2026-11-21T23:12:40Z', 'Europe/Berlin', '00:12'],
    ['2026-11-21T22:59:00Z', 'Europe/Berlin', 'Sat 2026-11-21 23:59'],
    ['2026-11-21T22:59:00Z', 'Etc/UTC', '22:59'],
  ] as const;
  for (const [at, timezone, text] of cases)
    assert.equal(readTime(Temporal.Instant.from(at), { timezone, now }), text);
});

test('a span is told by its two largest units', () => {
  const cases = [
    [-3, '0 s'],
    [59.9, '59 s'],
    [60, '1 min'],
    [3_599, '59 min'],
    [3_600, '1 h'],
    [4_900, '1 h 21 min'],
    [86_400 * 2 + 3_700 * 3, '2 d 3 h'],
  ] as const;
  for (const [seconds, text] of cases)
    assert.equal(spanText(now, now.add({ milliseconds: seconds * 1_000 })), text, `${seconds}`);
});
