import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageFiltersOf } from '../pages/filters.ts';
import { queryOf } from '../pages/query.ts';
import { levelOf, mostOf, spanOf, timeBars } from './figures.ts';
import { csvAddress, incidentsOf, type Period, pagesOf, periodOf, weekOf } from './period.ts';
import { hasList, type ReportSearch, reportSearch, withoutList } from './search.ts';

const id = '665f1f77bcf86cd799439011';
const today = '2026-03-02';

test('what an address says is understood, or narrows nothing', () => {
  const all = {
    days: 90,
    from: '2026-03-01',
    to: '2026-03-02',
    service: id,
    integration: id,
    weekday: 'monday',
    hour: 0,
    week: '2026-03-02',
    key: '42',
    source: id,
    list: 'all',
  } as const;
  assert.deepEqual(reportSearch({ ...all, key: 42, days: '90', team: 'all' }), all);
  assert.deepEqual(withoutList(all), {
    days: 90,
    from: '2026-03-01',
    to: '2026-03-02',
    service: id,
    integration: id,
  });
  const wrong = {
    days: 8,
    from: '2026-13-01',
    service: 'x',
    weekday: 'monday',
    hour: 24,
    week: 'last',
    key: 'disk',
    list: 'some',
  };
  assert.deepEqual(reportSearch(wrong), {});
  assert.deepEqual(reportSearch({ weekday: 'monday' }), {});
});

test('a list is open where the address names one', () => {
  assert.equal(hasList({ days: 7, service: id }), false);
  for (const search of [
    { weekday: 'sunday', hour: 3 },
    { week: '2026-03-02' },
    { key: 'disk', source: id },
    { week: '2026-03-02', acknowledged: true },
    { list: 'all' },
    { verdicts: 'false_alarm', rule: id },
  ] as const) {
    assert.deepEqual(reportSearch(search), search);
    assert.equal(hasList(search), true, JSON.stringify(search));
    assert.deepEqual(withoutList({ days: 7, ...search }), { days: 7 });
  }
});

const periods: readonly (readonly [string, ReportSearch, Period | null])[] = [
  ['the last four weeks', {}, { from: '2026-02-03', to: today }],
  ['the last week', { days: 7 }, { from: '2026-02-24', to: today }],
  ['days until one', { days: 7, to: '2026-01-07' }, { from: '2026-01-01', to: '2026-01-07' }],
  [
    'an interval',
    { from: '2026-01-01', to: '2026-01-09' },
    { from: '2026-01-01', to: '2026-01-09' },
  ],
  ['from a day until today', { from: '2026-01-01' }, { from: '2026-01-01', to: today }],
  ['no interval', { from: '2026-01-02', to: '2026-01-01' }, null],
];
for (const [title, search, period] of periods)
  test(`a report is of ${title}`, () => assert.deepEqual(periodOf(search, today), period));

test('a week is cut where the period begins and ends', () => {
  const period = { from: '2026-02-25', to: '2026-03-11' };
  assert.deepEqual(weekOf(period, '2026-02-23'), { from: '2026-02-25', to: '2026-03-01' });
  assert.deepEqual(weekOf(period, '2026-03-02'), { from: '2026-03-02', to: '2026-03-08' });
  assert.deepEqual(weekOf(period, '2026-03-09'), { from: '2026-03-09', to: '2026-03-11' });
});

const midnight = (year: number, month: number, day: number) =>
  new Date(year, month - 1, day).toISOString();

test('each figure asks for its incidents', () => {
  const period = { from: '2026-03-01', to: '2026-03-31' };
  const of = (search: ReportSearch) =>
    incidentsOf(period, search, { teams: id, timezone: 'Europe/Berlin' });
  const whole = {
    from: midnight(2026, 3, 1),
    to: midnight(2026, 4, 1),
    team_id: id,
    test: 'false',
    include: 'names,next,handled_by',
  };
  assert.deepEqual(of({ list: 'all', service: id }), { ...whole, service_id: id });
  const { include, ...span } = whole;
  assert.deepEqual(of({ verdicts: 'ended', source: id }), {
    ...span,
    source_integration_id: id,
    verdict: 'real,false_alarm,nothing_to_do,unclear,none',
    include,
  });
  assert.deepEqual(of({ verdicts: 'answered', rule: id }), {
    ...span,
    verdict: 'real,false_alarm,nothing_to_do,unclear',
    rule_id: id,
    include,
  });
  assert.deepEqual(of({ verdicts: 'unclear', key: 'disk', source: id }), {
    ...span,
    dedup_key: 'disk',
    source_integration_id: id,
    verdict: 'unclear',
    include,
  });
  assert.deepEqual(of({ weekday: 'sunday', hour: 0 }), {
    ...whole,
    weekday: 'sunday',
    hour: '0',
    timezone: 'Europe/Berlin',
  });
  assert.deepEqual(of({ week: '2026-03-02' }), {
    ...whole,
    from: midnight(2026, 3, 2),
    to: midnight(2026, 3, 9),
  });
  assert.deepEqual(of({ key: 'disk', source: id, integration: id }), {
    ...whole,
    integration_id: id,
    dedup_key: 'disk',
    source_integration_id: id,
  });
});

test('each figure leads to its pages, which the list of pages understands', () => {
  const period = { from: '2026-03-01', to: '2026-03-31' };
  const filters = {
    ...pagesOf(period, { service: id }, `${id},${id}`),
    person: id,
    night: true,
  } as const;
  assert.deepEqual(pageFiltersOf(filters), filters);
  assert.deepEqual(queryOf(pageFiltersOf({ ...filters, state: 'sent', integration: id })), {
    user_id: id,
    state: 'sent',
    team_id: `${id},${id}`,
    service_id: id,
    integration_id: id,
    night: 'true',
    test: 'false',
    from: midnight(2026, 3, 1),
    to: midnight(2026, 4, 1),
  });
  assert.deepEqual(pageFiltersOf({ night: true, test: 7, teams: 'ops', from: '2026-03-01' }), {
    from: '2026-03-01',
  });
});

test('a table is a file of the same figures', () => {
  const address = csvAddress('incidents', 'hours', { timezone: 'Europe/Berlin' });
  assert.equal(
    address,
    '/api/v1/reports/incidents?timezone=Europe%2FBerlin&format=csv&table=hours',
  );
});

test('a cell is the darker, the larger its share of the most', () => {
  const most = mostOf([0, 3, 40]);
  assert.deepEqual(
    [0, 1, 10, 11, 20, 30, 31, 40].map((count) => levelOf(count, most)),
    [0, 1, 1, 2, 2, 3, 4, 4],
  );
  assert.equal(levelOf(1, 1), 4);
  assert.equal(mostOf([]), 0);
});

test('bars are as high as their share of the longest time, and a week without times has none', () => {
  assert.deepEqual(timeBars([{ median: 30, p90: 60 }, undefined, { median: 0, p90: 15 }]), [
    { median: 50, p90: 100 },
    null,
    { median: 0, p90: 25 },
  ]);
  assert.deepEqual(timeBars([{ median: 0, p90: 0 }]), [{ median: 0, p90: 0 }]);
});

test('a time reads in its two largest units', () => {
  for (const [seconds, text] of [
    [0, '0 second'],
    [59, '59 second'],
    [61, '1 minute'],
    [3_599, '59 minute'],
    [3_600, '1 hour'],
    [11_100, '3 hour 5 minute'],
    [86_399, '23 hour 59 minute'],
    [187_200, '2 day 4 hour'],
  ] as const)
    assert.equal(
      spanOf(seconds)
        .map((part) => part.join(' '))
        .join(' '),
      text,
    );
});
