import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastDaysOf, summaryOf } from './last-day.ts';

const from = '2026-12-01T15:00:00.000Z';
const hours = [
  { events: 4, failed: 0 },
  { events: 1, failed: 1 },
  { events: 4, failed: 2 },
];

test('each hour has its beginning, and an integration with too many events where counting begins', () => {
  const counted_from = '2026-12-01T15:30:00.000Z';
  const days = lastDaysOf({
    from,
    data: [
      { integration_id: 'a', hours },
      { integration_id: 'b', hours: [], counted_from },
    ],
  });
  assert.deepEqual(
    days.get('a')?.hours.map(({ start }) => new Date(start).toISOString()),
    [from, '2026-12-01T16:00:00.000Z', '2026-12-01T17:00:00.000Z'],
  );
  assert.deepEqual(days.get('b'), { hours: [], countedFrom: Date.parse(counted_from) });
});

test('the summary has all events, those that failed, and the latest of the busiest hours', () => {
  const [day] = lastDaysOf({ from, data: [{ integration_id: 'a', hours }] }).values();
  const busiest = Date.parse('2026-12-01T17:00:00Z');
  assert.deepEqual(summaryOf(day?.hours ?? []), { events: 9, failed: 3, busiest });
  assert.deepEqual(summaryOf([]), { events: 0, failed: 0, busiest: null });
});
