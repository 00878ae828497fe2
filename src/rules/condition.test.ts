import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildFacts } from '../../test/facts.ts';
import { isCut, jsonWithin } from '../alerts/cut.ts';
import type { Condition } from '../resources/condition.ts';
import { compileCondition } from './condition.ts';
import type { Facts } from './facts.ts';

const at = (text: string) => Temporal.Instant.from(text);
const now = at('2026-03-04T09:30:00Z');
const before = (minutes: number) => now.epochMilliseconds - minutes * 60_000;
const timing = (start: string, end: string, timezone = 'UTC'): Condition => ({
  type: 'incidentTiming',
  start,
  end,
  timezone,
});
const message = (comparator: 'contains' | 'doesNotContain'): Condition => ({
  type: 'incidentMessage',
  comparator,
  text: 'DISK',
});
const detail = (comparator: 'equals' | 'doesNotEqual', key: string): Condition => ({
  type: 'incidentDetails',
  comparator,
  key,
  text: 'storage',
});

type Case = [condition: Condition, fields: Partial<Facts>, holds: boolean, text: string];

const cases: readonly Case[] = [
  [{ type: 'allIncidents' }, {}, true, 'Every incident matches.'],
  [message('contains'), {}, true, 'The title "Disk full on db-12" contains "DISK".'],
  [message('doesNotContain'), {}, false, 'The title "Disk full on db-12" contains "DISK".'],
  [detail('equals', 'labels.team'), {}, true, 'The detail labels.team "Storage" equals "storage".'],
  [detail('equals', 'team'), {}, false, 'There is no detail team.'],
  [detail('doesNotEqual', 'team'), {}, true, 'There is no detail team.'],
  [
    { type: 'incidentPriority', comparator: 'equals', priority: 'p1' },
    { priority: 'p1' },
    ...([true, 'The priority P1 equals P1.'] as const),
  ],
  [
    { type: 'incidentPriority', comparator: 'doesNotEqual', priority: 'p1' },
    {},
    ...([true, 'There is no priority.'] as const),
  ],
  [
    { type: 'incidentSeverity', comparator: 'matches', severity: 'sev1' },
    {},
    ...([false, 'The severity SEV2 does not match SEV1.'] as const),
  ],
  [
    { type: 'incidentRepeated', count: 2 },
    { repeatCount: 2 },
    ...([true, 'Earlier incidents with its key: 2. At least 2 required.'] as const),
  ],
  [
    { type: 'incidentSuppressed', count: 3 },
    { suppressedCount: 2 },
    ...([false, 'Repeated alerts: 2. At least 3 required.'] as const),
  ],
  [
    { type: 'incidentRepeatedWithin', count: 2, minutes: 10 },
    { repeatedAt: [before(11), before(10), before(1)] },
    true,
    'Earlier incidents with its key in the last 10 minutes: 2. At least 2 required.',
  ],
  [
    { type: 'incidentSuppressedWithin', count: 2, minutes: 1 },
    { suppressedAt: [before(2), before(1.1), before(0)], suppressedCount: 30 },
    false,
    'Repeated alerts in the last 1 minute: 1. At least 2 required.',
  ],
  [timing('09:30', '17:00'), {}, true, 'It is 09:30 in UTC, within 09:30 to 17:00.'],
  [timing('08:00', '09:30'), {}, false, 'It is 09:30 in UTC, outside 08:00 to 09:30.'],
  [timing('22:00', '06:00'), {}, false, 'It is 09:30 in UTC, outside 22:00 to 06:00.'],
  [timing('22:00', '09:31'), {}, true, 'It is 09:30 in UTC, within 22:00 to 09:31.'],
  [timing('03:00', '03:00'), {}, true, 'It is 09:30 in UTC, within 03:00 to 03:00.'],
  [
    timing('15:00', '15:01', 'Asia/Kolkata'),
    {},
    ...([true, 'It is 15:00 in Asia/Kolkata, within 15:00 to 15:01.'] as const),
  ],
  [
    timing('17:00', '09:30'),
    { now: at('2026-03-04T09:29:59.999Z') },
    ...([true, 'It is 09:29 in UTC, within 17:00 to 09:30.'] as const),
  ],
  [
    { type: 'incidentDays', days: ['monday', 'wednesday'], timezone: 'UTC' },
    {},
    ...([true, 'It is wednesday in UTC, one of monday, wednesday.'] as const),
  ],
  [
    { type: 'incidentDays', days: ['wednesday'], timezone: 'Pacific/Kiritimati' },
    { now: at('2026-03-04T10:00:00Z') },
    ...([false, 'It is thursday in Pacific/Kiritimati, none of wednesday.'] as const),
  ],
];

for (const [condition, fields, holds, text] of cases)
  test(`${JSON.stringify(condition)}: ${text}`, () => {
    const compiled = compileCondition(condition);
    const facts = buildFacts(fields);
    assert.equal(compiled.holds(facts), holds);
    assert.equal(compiled.describe(facts), text);
  });

/** Minute by minute, what a clock on the wall shows: days on which clocks change among them. */
const days: readonly [zone: string, day: string][] = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Africa/Cairo', '2026-04-24'],
  ['Asia/Kathmandu', '2026-06-01'],
];
const windows: readonly [start: string, end: string][] = [
  ['02:00', '03:00'],
  ['01:30', '02:15'],
  ['22:00', '02:30'],
  ['00:00', '00:30'],
  ['23:30', '00:00'],
  ['12:00', '12:00'],
];

for (const [zone, day] of days)
  test(`windows and days are those of the clock on the wall in ${zone} on ${day}`, () => {
    const begins = Temporal.PlainDate.from(day).toZonedDateTime(zone).subtract({ hours: 3 });
    const hours = windows.map(([start, end]) => [start, end, timing(start, end, zone)] as const);
    for (let minute = 0; minute < 30 * 60; minute += 1) {
      const wall = begins.add({ minutes: minute });
      const facts = buildFacts({ now: wall.toInstant() });
      const clock = wall.toPlainTime().toString({ smallestUnit: 'minute' });
      for (const [start, end, condition] of hours) {
        const expected =
          start < end ? clock >= start && clock < end : clock >= start || clock < end;
        assert.equal(compileCondition(condition).holds(facts), expected, `${wall} ${start}`);
      }
      const weekday = wall.toLocaleString('en', { weekday: 'long' }).toLowerCase();
      const today = { type: 'incidentDays', days: [weekday], timezone: zone } as Condition;
      assert.equal(compileCondition(today).holds(facts), true, `${wall}`);
    }
  });

test('an hour that is repeated is within its window twice, one that is skipped never', () => {
  const hour = compileCondition(timing('02:00', '03:00', 'Europe/Berlin'));
  const minutesOn = (day: string) => {
    const midnight = Temporal.PlainDate.from(day).toZonedDateTime('Europe/Berlin').toInstant();
    const minutes = Array.from({ length: 1_500 }, (_, each) => midnight.add({ minutes: each }));
    return minutes.filter((each) => hour.holds(buildFacts({ now: each }))).length;
  };
  assert.deepEqual(['2026-03-29', '2026-03-30', '2026-10-25'].map(minutesOn), [0, 60, 120]);
});

test('a count within minutes is the number of times not before them', () => {
  const ages = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 12 });
  const small = fc.integer({ min: 1, max: 8 });
  fc.assert(
    fc.property(ages, small, small, (repeats, count, minutes) => {
      const repeatedAt = repeats.toSorted((a, b) => b - a).map(before);
      const condition = { type: 'incidentRepeatedWithin', count, minutes } as const;
      const holds = compileCondition(condition).holds(buildFacts({ repeatedAt }));
      assert.equal(holds, repeats.filter((age) => age <= minutes).length >= count);
    }),
  );
});

test('of a detail that was cut, what is known holds, and no negation does', () => {
  const details = jsonWithin({ log: 'x'.repeat(4_000), env: 'prod', host: 'db-1' }, 300);
  const holdsOf = (key: string, comparator: 'contains' | 'doesNotContain' | 'doesNotMatch') =>
    compileCondition({ type: 'incidentDetails', key, comparator, text: 'prod' }).holds(
      buildFacts({ details }),
    );
  assert.ok(isCut(details));
  for (const key of ['log', 'gone', 'log.deeper']) {
    assert.equal(holdsOf(key, 'doesNotContain'), false, key);
    assert.equal(holdsOf(key, 'doesNotMatch'), false, key);
  }
  assert.deepEqual([holdsOf('env', 'contains'), holdsOf('host', 'doesNotContain')], [true, true]);
});
