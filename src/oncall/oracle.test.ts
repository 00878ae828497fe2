import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Layer, onCallAt } from './on-call.ts';
import type { Window } from './restriction.ts';
import { anchorOf, type Rotation } from './rotation.ts';

// A dumb second implementation: it walks a clock through weeks around a change of the clock and
// watches when each local time is first reached. Every change there falls on a quarter of an hour.
const STEP_MINUTES = 15;
const DAY_MINUTES = 1_440;
const STEPS = (70 * DAY_MINUTES) / STEP_MINUTES;

const places = [
  ['Europe/Berlin', '2026-03-01'],
  ['Europe/Berlin', '2026-10-01'],
  ['America/New_York', '2026-02-15'],
  ['America/New_York', '2026-10-10'],
  ['Asia/Kathmandu', '1985-12-10'],
  ['Australia/Lord_Howe', '2026-03-10'],
  ['Australia/Lord_Howe', '2026-09-10'],
  ['Africa/Cairo', '2026-04-01'],
  ['Africa/Cairo', '2026-10-05'],
] as const;

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** The latest local time reached by each step, in minutes since 1970. */
type Walk = { zone: string; start: Temporal.Instant; reached: readonly number[] };

const walks: readonly Walk[] = places.map(([zone, day]) => {
  const start = Temporal.Instant.from(`${day}T00:00Z`);
  const reached: number[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    const zoned = start.add({ minutes: step * STEP_MINUTES }).toZonedDateTimeISO(zone);
    const wall = zoned.epochMilliseconds / 60_000 + zoned.offsetNanoseconds / 60_000_000_000;
    reached.push(Math.max(wall, reached.at(-1) ?? 0));
  }
  return { zone, start, reached };
});

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

// 1970 began on a thursday.
const weekdayOf = (day: number) => weekdays[(day + 3) % 7];

function firstStep(walk: Walk, day: number, time: string): number {
  const wall = day * DAY_MINUTES + minutesOf(time);
  let low = 0;
  let high = STEPS;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((walk.reached[middle] ?? 0) >= wall) high = middle;
    else low = middle + 1;
  }
  return low;
}

const dayAt = (walk: Walk, step: number) => Math.floor((walk.reached[step] ?? 0) / DAY_MINUTES);

function turnByWalking(walk: Walk, rotation: Rotation, steps: readonly [number, number]): number {
  const [created, step] = steps;
  const handoff = rotation.handoff ?? '00:00';
  const isHandoffDay = (day: number) =>
    rotation.unit === 'days' || weekdayOf(day) === (rotation.handoff_day ?? 'monday');
  let day = dayAt(walk, created) - 8;
  while (!isHandoffDay(day) || firstStep(walk, day, handoff) < created) day += 1;
  let turn = firstStep(walk, day, handoff) === created ? -1 : 0;
  const days = rotation.length * (rotation.unit === 'weeks' ? 7 : 1);
  for (; firstStep(walk, day, handoff) <= step; day += days) turn += 1;
  return turn;
}

function isOpenByWalking(walk: Walk, window: Window, step: number): boolean {
  const today = dayAt(walk, step);
  for (let from = today - 8; from <= today + 1; from += 1) {
    if (weekdayOf(from) !== window.from_day) continue;
    let to = from;
    while (
      weekdayOf(to) !== window.to_day ||
      (to === from && minutesOf(window.to_time) <= minutesOf(window.from_time))
    )
      to += 1;
    const begins = firstStep(walk, from, window.from_time);
    if (begins <= step && step < firstStep(walk, to, window.to_time)) return true;
  }
  return false;
}

const anyTime = fc
  .nat({ max: 95 })
  .map((quarter) => `${pad(Math.floor(quarter / 4))}:${pad((quarter % 4) * 15)}`);
const anyNight = fc.constantFrom('00:00', '00:15', '00:45', '01:45', '02:00', '02:15', '02:30');
const someTime = fc.oneof(anyTime, anyNight);
const anyDay = fc.constantFrom(...weekdays);
const anyRotation: fc.Arbitrary<Rotation> = fc.oneof(
  fc.record(
    {
      length: fc.integer({ min: 1, max: 5 }),
      unit: fc.constant('days' as const),
      handoff: someTime,
    },
    { requiredKeys: ['length', 'unit'] },
  ),
  fc.record(
    {
      length: fc.integer({ min: 1, max: 3 }),
      unit: fc.constant('weeks' as const),
      handoff: someTime,
      handoff_day: anyDay,
    },
    { requiredKeys: ['length', 'unit'] },
  ),
);
const anyWindow = fc.record({
  from_day: anyDay,
  from_time: someTime,
  to_day: anyDay,
  to_time: someTime,
});
// Ten days of room before, so that the walk has seen every boundary that matters.
const anyCreation = fc.integer({ min: 10 * 96, max: 40 * 96 });

function pad(number: number): string {
  return String(number).padStart(2, '0');
}

test('the turn at any moment is the one a clock that is watched would give', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...walks),
      anyRotation,
      anyCreation,
      fc.array(fc.nat({ max: 29 * 96 }), { minLength: 20, maxLength: 20 }),
      (walk, rotation, created, delays) => {
        const at = (step: number) => walk.start.add({ minutes: step * STEP_MINUTES });
        const users = Array.from({ length: 40 }, (_, index) => `user ${index}`);
        const anchor = anchorOf(rotation, walk.zone, at(created));
        const layers: Layer[] = [{ users, rotation, anchor }];
        const schedule = { timezone: walk.zone, layers, created_at: at(created) };
        for (const delay of delays) {
          const turn = turnByWalking(walk, rotation, [created, created + delay]);
          const found = onCallAt(schedule, at(created + delay));
          assert.equal(found?.user_id, users[turn], `${at(created + delay)}`);
          const justBefore = at(created + delay + 1).subtract({ nanoseconds: 1 });
          assert.equal(onCallAt(schedule, justBefore)?.user_id, users[turn], `${justBefore}`);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('a window is open at any moment when a clock that is watched would open it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...walks),
      fc.array(anyWindow, { minLength: 1, maxLength: 3 }),
      anyCreation,
      fc.array(fc.nat({ max: 14 * 96 }), { minLength: 20, maxLength: 20 }),
      (walk, windows, created, delays) => {
        const at = (step: number) => walk.start.add({ minutes: step * STEP_MINUTES });
        const rotation: Rotation = { length: 1, unit: 'days' };
        const anchor = anchorOf(rotation, walk.zone, at(created));
        const restriction = { type: 'weekly', windows } as const;
        const layers: Layer[] = [{ users: ['ada'], rotation, restriction, anchor }];
        const schedule = { timezone: walk.zone, layers, created_at: at(created) };
        for (const delay of delays) {
          const step = created + delay;
          const isOpen = windows.some((window) => isOpenByWalking(walk, window, step));
          assert.equal(onCallAt(schedule, at(step)) !== null, isOpen, `${at(step)}`);
        }
      },
    ),
    { numRuns: 300 },
  );
});
