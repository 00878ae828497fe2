import assert from 'node:assert/strict';
import { test } from 'node:test';
import { busiestOf, lastDayCounts, lastDayFrom, lastDayTo } from './last-day.ts';

const at = (text: string) => Date.parse(text);
const now = at('2026-12-02T14:40:12Z');

test('the last 24 hours end with the one that is not over', () => {
  const from = lastDayFrom(now);
  assert.equal(from, at('2026-12-01T15:00:00Z'));
  assert.equal(lastDayTo(from), at('2026-12-02T15:00:00Z'));
});

test('each hour has its count, also those of yesterday', () => {
  const counts = lastDayCounts(lastDayFrom(now), [
    { weekday: 'tuesday', hour: 15, opened: 1 },
    { weekday: 'wednesday', hour: 3, opened: 7 },
    { weekday: 'wednesday', hour: 14, opened: 7 },
  ]);
  assert.equal(counts.length, 24);
  assert.equal(counts[0]?.opened, 1);
  assert.equal(counts.at(-1)?.opened, 7);
  assert.deepEqual(
    counts.filter(({ opened }) => opened > 0).map(({ start }) => start),
    [at('2026-12-01T15:00:00Z'), at('2026-12-02T03:00:00Z'), at('2026-12-02T14:00:00Z')],
  );
  assert.equal(busiestOf(counts)?.start, at('2026-12-02T14:00:00Z'), 'of several, the latest');
});

test('without incidents no hour is the busiest', () => {
  assert.equal(busiestOf(lastDayCounts(lastDayFrom(now), [])), null);
});
