import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayAfter } from '../ui/days.ts';
import { barsOf, type DayCounts, sumOf } from './bars.ts';
import { type PageFilters, pageFiltersOf } from './filters.ts';
import { countedDays, countsQueryOf, csvAddressOf, dayOf, incidentIn, queryOf } from './query.ts';

const id = '665f1f77bcf86cd799439011';

test('what an address narrows the list by is understood, or narrows nothing', () => {
  const all = {
    person: id,
    channel: 'push-notification',
    state: 'failed',
    from: '2026-03-01',
    to: '2026-03-02',
    incident: 42,
  } as const;
  assert.deepEqual(pageFiltersOf({ ...all, team: 'x' }), { ...all, incident: '42' });
  const wrong = {
    person: 'ada',
    channel: 'A B',
    state: 'lost',
    from: '2026-3-1',
    to: '2026-13-01',
  };
  assert.deepEqual(pageFiltersOf(wrong), {});
});

test('an incident is found by its number, as people write it', () => {
  for (const [typed, number] of [
    ['42', '42'],
    [' inc-42 ', '42'],
    ['INC42', '42'],
    ['0042', '42'],
    ['disk full', null],
    ['0', null],
    ['42.5', null],
    ['9999999999', null],
  ] as const)
    assert.equal(incidentIn(typed), number, typed);
});

test('the API is asked for what the address says, with whole days where the reader is', () => {
  const midnight = (year: number, month: number, day: number) =>
    new Date(year, month - 1, day).toISOString();
  assert.deepEqual(queryOf({ person: id, channel: 'sms', state: 'failed', incident: 'INC-7' }), {
    user_id: id,
    channel: 'sms',
    state: 'failed',
    incident: '7',
  });
  assert.deepEqual(queryOf({ from: '2026-03-28', to: '2026-03-31' }), {
    from: midnight(2026, 3, 28),
    to: midnight(2026, 4, 1),
  });
  assert.deepEqual(queryOf({}), {});
  assert.equal(queryOf({ incident: 'disk' }), null);
  assert.equal(queryOf({ from: '2026-03-02', to: '2026-03-01' }), null);
});

const days: readonly (readonly [string, PageFilters, string, string])[] = [
  ['the last month', {}, '2026-02-01', '2026-03-02'],
  [
    'a day of it, among the others',
    { from: '2026-02-10', to: '2026-02-10' },
    '2026-02-01',
    '2026-03-02',
  ],
  ['today', { from: '2026-03-02' }, '2026-02-01', '2026-03-02'],
  [
    'an older day, with the month before it',
    { from: '2025-12-31', to: '2025-12-31' },
    '2025-12-02',
    '2025-12-31',
  ],
  ['an interval', { from: '2026-01-01', to: '2026-01-09' }, '2026-01-01', '2026-01-09'],
  ['an interval until today', { from: '2026-01-01' }, '2026-01-01', '2026-03-02'],
  ['the month before a day', { to: '2026-01-30' }, '2026-01-01', '2026-01-30'],
  ['the last days of a long interval', { from: '2025-01-01' }, '2025-12-03', '2026-03-02'],
  ['a day that is still to come', { from: '2026-03-05' }, '2026-02-04', '2026-03-05'],
];
for (const [title, filters, from, to] of days)
  test(`the bars show ${title}`, () =>
    assert.deepEqual(countedDays(filters, '2026-03-02'), { from, to }));

test('the bars show all states, whichever the list shows', () => {
  const query = countsQueryOf({ state: 'failed', channel: 'sms' }, '2026-03-02', 'Etc/UTC');
  assert.deepEqual(Object.keys(query ?? {}), ['channel', 'from', 'to', 'timezone']);
  assert.equal(countsQueryOf({ incident: 'disk' }, '2026-03-02', 'Etc/UTC'), null);
});

test('days follow each other over the ends of months and changes of the clock', () => {
  assert.equal(dayAfter('2026-02-28', 1), '2026-03-01');
  assert.equal(dayAfter('2026-03-29', 1), '2026-03-30');
  assert.equal(dayAfter('2026-01-01', -1), '2025-12-31');
  assert.equal(dayOf(new Date(2026, 2, 2, 23, 59).getTime()), '2026-03-02');
});

test('the file is of the same list', () => {
  const address = csvAddressOf({ channel: 'sms', from: '2026-03-01T00:00:00.000Z' });
  assert.equal(address, '/api/v1/pages?channel=sms&from=2026-03-01T00%3A00%3A00.000Z&format=csv');
});

const day = (date: string, counts: Partial<DayCounts> = {}): DayCounts => ({
  date,
  sent: 0,
  pending: 0,
  failed: 0,
  cancelled: 0,
  ...counts,
});

test('bars are as high as what they stand for, and one page is seen beside thousands', () => {
  const some = [day('1'), day('2', { sent: 900, failed: 100 }), day('3', { sent: 1 })];
  assert.deepEqual(
    barsOf(some).map(({ total, height }) => [total, height]),
    [
      [0, 0],
      [1000, 100],
      [1, 5],
    ],
  );
  assert.deepEqual(barsOf(some)[1]?.parts, [
    { state: 'sent', count: 900 },
    { state: 'failed', count: 100 },
  ]);
  assert.deepEqual(barsOf([day('1')])[0], { date: '1', total: 0, height: 0, parts: [] });
  assert.deepEqual(sumOf(some), {
    parts: [
      { state: 'sent', count: 901 },
      { state: 'failed', count: 100 },
    ],
    total: 1001,
  });
});
