import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { layer, made, schedule } from '../../test/schedules.ts';
import { isHandoffInWindow, openDaysOf, openDaysPerWeek } from './open-days.ts';
import { openingsOf, type Restriction, type Window } from './restriction.ts';
import { layerShiftsIn } from './shifts.ts';
import { timeOfDay } from './wall-clock.ts';
import { DAY, instantAt, type Zone, zoneOf } from './zone.ts';

const window = (from_day: string, from_time: string, to_day: string, to_time: string): Window => ({
  from_day,
  from_time,
  to_day,
  to_time,
});
const weekly = (...windows: readonly Window[]): Restriction => ({ type: 'weekly', windows });
const workdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const;
const office = weekly(...workdays.map((day) => window(day, '09:00', day, '17:00')));

test('a day counts if a window is open between its handoff and the next', () => {
  const nights = weekly(
    ...workdays.map((day, at) => window(day, '22:00', workdays[at + 1] ?? 'saturday', '06:00')),
  );
  const cases = [
    { restriction: office, handoff: '00:00', count: 5 },
    // The hours of monday lie between the handoffs at noon of sunday and of monday, too.
    { restriction: office, handoff: '12:00', count: 6 },
    { restriction: office, handoff: '17:00', count: 5 },
    { restriction: nights, handoff: '00:00', count: 6 },
    { restriction: nights, handoff: '12:00', count: 5 },
    {
      restriction: weekly(window('friday', '18:00', 'monday', '08:00')),
      handoff: '09:00',
      count: 3,
    },
    {
      restriction: weekly(window('monday', '00:00', 'monday', '00:00')),
      handoff: '09:00',
      count: 7,
    },
    { restriction: undefined, handoff: '09:00', count: 7 },
  ];
  for (const { restriction, handoff, count } of cases)
    assert.equal(
      openDaysPerWeek(restriction, timeOfDay(handoff)),
      count,
      JSON.stringify(restriction),
    );
});

test('a handoff inside a window is one with the window open on both sides of it', () => {
  for (const [handoff, isInside] of [
    ['00:00', false],
    ['09:00', false],
    ['09:01', true],
    ['16:59', true],
    ['17:00', false],
  ] as const)
    assert.equal(isHandoffInWindow(office, timeOfDay(handoff)), isInside, handoff);
  const always = weekly(window('monday', '00:00', 'monday', '00:00'));
  assert.ok(isHandoffInWindow(always, timeOfDay('00:00')));
});

const times = ['00:00', '02:00', '02:15', '02:30', '03:00', '09:00', '23:45'];
const anyTime = fc.constantFrom(...times);
const anyWeekday = fc.constantFrom(...workdays, 'saturday', 'sunday');
const anyWindow = fc.record({
  from_day: anyWeekday,
  from_time: anyTime,
  to_day: anyWeekday,
  to_time: anyTime,
});
const places = [
  ['Etc/UTC', '2026-03-29'],
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-03-08'],
  ['Africa/Cairo', '2026-04-24'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['Pacific/Apia', '2011-12-30'],
  ['America/Nuuk', '2023-03-26'],
] as const;

const dayOf = (date: string) => Temporal.Instant.from(`${date}T00:00Z`).epochMilliseconds / DAY;

/** Every minute is offsets: slow, and sure. */
function isOpenOn(day: number, restriction: Restriction | undefined, zone: Zone, time: number) {
  const [from, to] = [day, day + 1].map((each) => instantAt(zone, each * DAY + time));
  const openingAt = restriction && openingsOf(restriction, zone);
  for (let at = from ?? 0; at < (to ?? 0); at += 60_000)
    if (!openingAt || openingAt(at).isOpen) return true;
  return false;
}

test('days are counted as a walk from day to day counts them, where the clock changes too', () => {
  const drawn = fc.record({
    place: fc.constantFrom(...places),
    windows: fc.option(fc.array(anyWindow, { minLength: 1, maxLength: 2 }), { freq: 9 }),
    handoff: anyTime,
    offsets: fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 5 }),
  });
  fc.assert(
    fc.property(drawn, ({ place: [name, date], windows, handoff, offsets }) => {
      const restriction = windows ? weekly(...windows) : undefined;
      const [zone, time, middle] = [zoneOf(name), timeOfDay(handoff), dayOf(date)];
      const days = openDaysOf(restriction, zone, time);
      const first = middle + (offsets[0] ?? 0);
      const from = days.before(first);
      for (const offset of offsets) {
        const day = middle + offset;
        let count = from;
        for (let each = first; each < day; each += 1)
          count += Number(isOpenOn(each, restriction, zone, time));
        for (let each = first - 1; each >= day; each -= 1)
          count -= Number(isOpenOn(each, restriction, zone, time));
        assert.equal(days.before(day), count);
        let next = day;
        while (!isOpenOn(next, restriction, zone, time)) next += 1;
        assert.equal(days.nth(count), next);
      }
    }),
    { numRuns: 150 },
  );
});

test('seven people share five days a week fairly', () => {
  const users = ['ada', 'bob', 'cyd', 'dan', 'eve', 'fay', 'gil'];
  const rotation = { length: 1, unit: 'days', counts: 'open' } as const;
  const one = schedule([layer({ users, rotation, restriction: office })]);
  const weeks = { from: made.subtract({ hours: 10 }), to: made.add({ hours: 7 * 7 * 24 - 10 }) };
  const shifts = layerShiftsIn(one, weeks, 0);
  const counts = Map.groupBy(shifts, ({ user_id }) => user_id);
  assert.deepEqual(
    users.map((user) => counts.get(user)?.length),
    users.map(() => 5),
  );
});

test('decades on, the answer takes no walk', () => {
  const rotation = { length: 3, unit: 'days', counts: 'open' } as const;
  const one = schedule([layer({ users: ['ada', 'bob'], rotation, restriction: office })]);
  const from = made.add({ hours: 24 * 365 * 400 });
  assert.ok(layerShiftsIn(one, { from, to: from.add({ hours: 24 * 30 }) }, 0).length > 5);
});
