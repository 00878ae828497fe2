import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countsOf, daysOf } from './page-counts.ts';

const at = (text: string) => Temporal.Instant.from(text);

type Row = readonly [
  title: string,
  from: string | undefined,
  to: string,
  zone: string,
  days: readonly string[],
];

const rows: readonly Row[] = [
  [
    'the last days, the last of them cut',
    undefined,
    '2026-03-02T09:00:00Z',
    'Etc/UTC',
    [
      '2026-02-28 2026-02-28T00:00:00Z 2026-03-01T00:00:00Z',
      '2026-03-01 2026-03-01T00:00:00Z 2026-03-02T00:00:00Z',
      '2026-03-02 2026-03-02T00:00:00Z 2026-03-02T09:00:00Z',
    ],
  ],
  [
    'an interval that ends at midnight has no day of its own there',
    '2026-03-01T00:00:00Z',
    '2026-03-02T00:00:00Z',
    'Etc/UTC',
    ['2026-03-01 2026-03-01T00:00:00Z 2026-03-02T00:00:00Z'],
  ],
  [
    'a day of 23 hours in the zone',
    '2026-03-28T12:00:00Z',
    '2026-03-30T01:00:00Z',
    'Europe/Berlin',
    [
      '2026-03-28 2026-03-28T12:00:00Z 2026-03-28T23:00:00Z',
      '2026-03-29 2026-03-28T23:00:00Z 2026-03-29T22:00:00Z',
      '2026-03-30 2026-03-29T22:00:00Z 2026-03-30T01:00:00Z',
    ],
  ],
];

for (const [title, from, to, zone, days] of rows)
  test(`an interval is cut into days: ${title}`, () => {
    const interval = { ...(from !== undefined && { from: at(from) }), to: at(to) };
    const cut = daysOf(interval, zone, 3);
    assert.deepEqual(
      cut.map((day) => `${day.date} ${day.from} ${day.to}`),
      days,
    );
  });

test('a day without pages has counts of zero', () => {
  const days = daysOf({ to: at('2026-03-02T09:00:00Z') }, 'Etc/UTC', 2);
  const [first, second] = countsOf(days, [{ day: 1, state: 'failed', count: 3 }]);
  const counted = (one: typeof first) => [one?.pending, one?.sent, one?.failed, one?.cancelled];
  assert.deepEqual(
    [counted(first), counted(second)],
    [
      [0, 0, 0, 0],
      [0, 0, 3, 0],
    ],
  );
});
