// A second implementation, as dumb as can be: it watches a clock minute by minute through weeks in
// which the clock changes. Handoffs and edges of windows are what happens when it passes a time of
// the week; there are no spans and no calendar in it, and nothing of the first implementation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { coverageOf, type Gap } from './coverage.ts';
import { onCallAt } from './on-call.ts';
import type { Window } from './restriction.ts';
import type { DeclaredLayer } from './revisions/content.ts';
import { movesIn } from './revisions/moves.ts';
import { newAnchor } from './revisions/new-anchor.ts';
import type { Rotation } from './rotation.ts';
import type { Interval, Layer, Override, Schedule, Shift } from './schedule.ts';
import { layerShiftsIn, nextBoundary, shiftAt, shiftsIn } from './shifts.ts';

const DAY = 1_440;
const WEEK = 7 * DAY;
const MINUTES = 32 * DAY;
// Whether the last day counts is seen only after it.
const AHEAD = 3 * DAY;
// Nothing is asked of the time before: by then the clock has passed every time of the week.
const WARM = 9 * DAY;

const places = [
  ['Etc/UTC', '2026-03-01'],
  ['Europe/Berlin', '2026-03-10'],
  ['Europe/Berlin', '2026-10-05'],
  ['America/New_York', '2026-02-20'],
  ['America/New_York', '2026-10-15'],
  ['America/Sao_Paulo', '2018-10-20'],
  ['America/Sao_Paulo', '2019-01-28'],
  ['Africa/Cairo', '2026-04-05'],
  ['Africa/Cairo', '2026-10-10'],
  ['Africa/Casablanca', '2026-02-01'],
  ['Asia/Kathmandu', '1985-12-12'],
  ['Asia/Gaza', '2026-03-10'],
  ['Australia/Lord_Howe', '2026-03-20'],
  ['Australia/Lord_Howe', '2026-09-15'],
  ['Pacific/Apia', '2011-12-10'],
  ['America/Nuuk', '2023-03-08'],
  ['America/Nuuk', '2024-10-08'],
] as const;

/** The minutes of the week (0 is monday 00:00) that the clock passes with each minute. */
type Walk = {
  readonly zone: string;
  readonly start: Temporal.Instant;
  readonly passed: readonly (readonly number[])[];
};

const single = Array.from({ length: WEEK }, (_, minute) => [minute]);

const walks = places.map(([zone, day]): Walk => {
  const start = Temporal.Instant.from(`${day}T00:00Z`);
  const first = start.epochMilliseconds / 60_000;
  const passed: (readonly number[])[] = [];
  let latest = -1;
  for (let minute = 0; minute < MINUTES + AHEAD; minute += 1) {
    const now = Temporal.Instant.fromEpochMilliseconds((first + minute) * 60_000);
    const offset = now.toZonedDateTimeISO(zone).offsetNanoseconds / 60e9;
    // 1970 began on a thursday.
    const wall = first + minute + offset + 3 * DAY;
    if (minute === 0) latest = wall - 1;
    const skipped = Math.max(wall - latest, 0);
    passed.push(
      skipped === 1
        ? (single[wall % WEEK] ?? [])
        : Array.from({ length: skipped }, (_, index) => (latest + 1 + index) % WEEK),
    );
    latest = Math.max(latest, wall);
  }
  return { zone, start, passed };
});

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

function minuteOfWeek(day: string, time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return weekdays.indexOf(day) * DAY + hours * 60 + minutes;
}

/** The minutes at which turns may change, one each time; twice the same where a day is skipped. */
function handoffsOf(walk: Walk, { unit, handoff = '00:00', handoff_day = 'monday' }: Rotation) {
  const days = unit === 'days' ? weekdays : [handoff_day];
  const times = new Set(days.map((day) => minuteOfWeek(day, handoff)));
  const minutes: number[] = [];
  for (const [minute, passed] of walk.passed.entries())
    for (const time of passed) if (times.has(time)) minutes.push(minute);
  return minutes;
}

type Begun = { readonly minute: number; readonly isWhole: boolean };

/** The turn of each minute, from the one in which the first begins; -1 before. */
function turnsByMinute(walk: Walk, { rotation, restriction }: Layer, begun: Begun): Int32Array {
  const { unit, length, counts } = rotation;
  const open = restriction && openByMinute(walk, restriction.windows);
  const handoffs = handoffsOf(walk, rotation);
  const isCounted = (index: number): boolean => {
    if (unit === 'weeks' || counts !== 'open') return true;
    const [from = 0, to = walk.passed.length] = handoffs.slice(index, index + 2);
    for (let minute = from; minute < to; minute += 1) if (open?.[minute] ?? true) return true;
    return false;
  };
  const boundaries = handoffs.filter((_minute, index) => isCounted(index));
  const turns = new Int32Array(MINUTES).fill(-1);
  const isOn = boundaries.includes(begun.minute);
  let left = isOn ? length : begun.isWhole ? length + 1 : 1;
  let turn = 0;
  let next = 0;
  for (let minute = begun.minute; minute < MINUTES; minute += 1) {
    for (; (boundaries[next] ?? MINUTES) <= minute; next += 1) {
      if (minute === begun.minute) continue;
      left -= 1;
      if (left > 0) continue;
      turn += 1;
      left = length;
    }
    turns[minute] = turn;
  }
  return turns;
}

/** When the first turn of a layer begins: when it is made or starts, or on a date. */
function begunOf(walk: Walk, { generated_at, starts_at, rotation }: Layer): Begun {
  const { since, handoff = '00:00' } = rotation;
  const made = minuteOf(walk, generated_at);
  if (since === undefined)
    return { minute: Math.max(made, starts_at ? minuteOf(walk, starts_at) : made), isWhole: false };
  const local = Temporal.PlainDateTime.from(`${since}T${handoff}`);
  const zoned = local.toZonedDateTime(walk.zone, { disambiguation: 'earlier' });
  const isSkipped = !zoned.toPlainDateTime().equals(local);
  const at = isSkipped ? zoned.getTimeZoneTransition('next') : zoned;
  return { minute: minuteOf(walk, at?.toInstant() ?? generated_at), isWhole: true };
}

/** Whether any of the windows is open in each minute. */
function openByMinute(walk: Walk, windows: readonly Window[]): readonly boolean[] {
  const states = windows.map((window) => ({
    opens: minuteOfWeek(window.from_day, window.from_time),
    closes: minuteOfWeek(window.to_day, window.to_time),
    isOpen: false,
  }));
  return walk.passed.map((passed) => {
    for (const minute of passed)
      for (const state of states) {
        if (minute === state.closes) state.isOpen = false;
        if (minute === state.opens) state.isOpen = true;
      }
    return states.some((state) => state.isOpen);
  });
}

/** Whom a layer has in each minute, as `user source`. */
function peopleByMinute(walk: Walk, layer: Layer): readonly (string | null)[] {
  const { users, anchor, rotation } = layer;
  const begun = begunOf(walk, layer);
  const turns = turnsByMinute(walk, layer, begun);
  const open = layer.restriction && openByMinute(walk, layer.restriction.windows);
  const starts = layer.starts_at ? minuteOf(walk, layer.starts_at) : 0;
  const ends = layer.ends_at ? minuteOf(walk, layer.ends_at) : MINUTES;
  const isLater = starts > minuteOf(walk, layer.generated_at);
  const first = isLater ? users.findIndex((user) => user !== null) : 0;
  // Which turn it is, is looked for here; its number is the implementation's.
  const isAhead = minuteOf(walk, anchor.at) > begun.minute;
  const number = anchor.turn - (isAhead && rotation.since === undefined ? 1 : 0);
  const nameOf = (turn: number) => {
    const user = users[(first + turn + users.length) % users.length];
    return user
      ? `${user} ${layer.id}/${layer.generated_at.epochMilliseconds}/${number + turn}`
      : null;
  };
  const minds: (string | null)[] = [];
  for (const [minute, turn] of turns.entries()) {
    const isOff = minute < starts || minute >= ends || open?.[minute] === false;
    minds.push(isOff ? null : nameOf(turn));
  }
  return minds;
}

type Seen = { readonly who: string | null; readonly layer: number | 'override' | null };
const nobody: Seen = { who: null, layer: null };

type Name = { readonly who: string; readonly layer: Seen['layer'] };

/**
 * The person of one layer in one minute: the turn's person, and then everyone whom an override puts
 * in their place; the last of them who is active. An override with nobody crosses out all names
 * before it, which can still be replaced.
 */
function personOf(
  turn: Name | null,
  overrides: readonly Pick<Override, 'id' | 'user_id' | 'replaces_user_id'>[],
  isActive: (user: string) => boolean,
): Name | null {
  const names = turn ? [turn] : [];
  let crossedOut = 0;
  const nameOf = ({ who }: Name) => who.split(' ')[0] ?? '';
  for (const { id, user_id, replaces_user_id } of overrides) {
    const last = names.at(-1);
    const lastActive = names.filter((one) => isActive(nameOf(one))).at(-1);
    const candidates = [last, lastActive].flatMap((one) => (one ? nameOf(one) : []));
    if (replaces_user_id && !candidates.includes(replaces_user_id)) continue;
    if (user_id === null) crossedOut = names.length;
    else names.push({ who: `${user_id} override/${id}/${user_id}`, layer: 'override' });
  }
  const left = names.slice(crossedOut);
  return left.filter((one) => isActive(nameOf(one))).at(-1) ?? null;
}

/** Who is on call in each minute, and what each layer has for itself. */
function walked(walk: Walk, schedule: Schedule) {
  const minds = new Map<Layer, readonly (string | null)[]>();
  for (const layer of schedule.revisions.flatMap(({ layers }) => layers))
    if (!minds.has(layer)) minds.set(layer, peopleByMinute(walk, layer));
  const saves = schedule.revisions.map((one) => ({ ...one, from: minuteOf(walk, one.from) }));
  const overrides = schedule.overrides.map((one) => ({
    ...one,
    start: minuteOf(walk, one.start),
    end: minuteOf(walk, one.end),
  }));
  const absences = (schedule.inactive ?? []).map(({ user_id, start, end }) => ({
    user_id,
    start: minuteOf(walk, start),
    end: end ? minuteOf(walk, end) : MINUTES,
  }));
  const effective: Seen[] = [];
  const alone: Seen[][] = [[], [], [], []];
  let layers: readonly Layer[] | null = null;
  for (let minute = 0; minute < MINUTES; minute += 1) {
    while (saves[0]?.from === minute) {
      const save = saves.shift();
      layers = save && !save.archived ? save.layers : null;
    }
    const isNow = ({ start, end }: { start: number; end: number }) =>
      minute >= start && minute < end;
    const applied = overrides.filter(isNow);
    const away = absences.filter(isNow).map(({ user_id }) => user_id);
    const isActive = (user: string) => !away.includes(user);
    let seen: Seen = nobody;
    for (const [index, each] of alone.entries()) {
      const layer = layers?.[index];
      const who = (layer && minds.get(layer)?.[minute]) ?? null;
      const turn = who === null ? null : { who, layer: index };
      each.push(personOf(turn, [], isActive) ?? nobody);
      if (layer) seen = personOf(turn, applied, isActive) ?? seen;
    }
    effective.push(seen);
  }
  return { effective, alone };
}

const isOf = ({ who }: Seen, user: string) => who?.startsWith(`${user} `) ?? false;

const instantAt = (walk: Walk, minute: number) => walk.start.add({ minutes: minute });
const minuteOf = (walk: Walk, at: Temporal.Instant | string) =>
  (Temporal.Instant.from(at).epochMilliseconds - walk.start.epochMilliseconds) / 60_000;

type Run = { start: number; end: number; readonly key: string; layer: Seen['layer'] };

/** Runs of minutes with the same key, in a span of minutes. */
function runsOf(seen: readonly Seen[], keyOf: (one: Seen) => string | null): readonly Run[] {
  const runs: Run[] = [];
  for (let minute = WARM; minute < MINUTES; minute += 1) {
    const one = seen[minute];
    const key = one ? keyOf(one) : null;
    const last = runs.at(-1);
    if (!one || key === null) continue;
    if (last?.end === minute && last.key === key)
      Object.assign(last, { end: minute + 1, layer: one.layer });
    else runs.push({ start: minute, end: minute + 1, key, layer: one.layer });
  }
  return runs;
}

const asRun = (walk: Walk, { user_id, source, layer, start, end }: Shift): Run => ({
  start: minuteOf(walk, start),
  end: minuteOf(walk, end),
  key: `${user_id} ${source}`,
  layer,
});

const spanOf = (walk: Walk): Interval => ({
  from: instantAt(walk, WARM),
  to: instantAt(walk, MINUTES),
});

const pad = (number: number) => String(number).padStart(2, '0');
const someTime = fc.oneof(
  fc.nat({ max: DAY - 1 }).map((minute) => `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`),
  fc.constantFrom('00:00', '00:15', '00:30', '01:00', '01:45', '02:00', '02:15', '02:30', '03:00'),
);
const someDay = fc.constantFrom(...weekdays);
const someMinute = fc.integer({ min: WARM, max: MINUTES - 1 });
const somebody = fc.constantFrom('ada', 'lin', 'eve', 'kim');
const someRotation: fc.Arbitrary<Rotation> = fc.oneof(
  fc.record(
    {
      length: fc.integer({ min: 1, max: 5 }),
      unit: fc.constant('days' as const),
      handoff: someTime,
      counts: fc.constantFrom('all' as const, 'open' as const),
    },
    { requiredKeys: ['length', 'unit'] },
  ),
  fc.record(
    {
      length: fc.integer({ min: 1, max: 3 }),
      unit: fc.constant('weeks' as const),
      handoff: someTime,
      handoff_day: someDay,
    },
    { requiredKeys: ['length', 'unit'] },
  ),
);
const someWindow = fc.record({
  from_day: someDay,
  from_time: someTime,
  to_day: someDay,
  to_time: someTime,
});
const someLayer = fc.record({
  users: fc.array(fc.option(somebody, { freq: 4 }), { minLength: 1, maxLength: 4 }),
  rotation: someRotation,
  windows: fc.option(fc.array(someWindow, { minLength: 1, maxLength: 3 })),
  starts: fc.option(someMinute, { freq: 2 }),
  /** So many days before the layer is made its first turn began. */
  since: fc.option(fc.nat({ max: 6 })),
  ends: fc.option(someMinute, { freq: 2 }),
});
const someSchedule = fc.record({
  walk: fc.constantFrom(...walks),
  pool: fc.array(someLayer, { minLength: 4, maxLength: 4 }),
  revisions: fc.array(
    fc.record({
      from: fc.oneof(fc.constant(WARM), someMinute),
      archived: fc.nat({ max: 9 }).map((dice) => dice === 0),
      layers: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 1 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  overrides: fc.array(
    fc.record({
      user_id: fc.option(somebody, { freq: 5 }),
      replaces_user_id: fc.option(somebody),
      start: someMinute,
      minutes: fc.integer({ min: 1, max: 10 * DAY }),
    }),
    { maxLength: 6 },
  ),
  inactive: fc.array(
    fc.record({
      user_id: somebody,
      start: someMinute,
      minutes: fc.option(fc.integer({ min: 1, max: 14 * DAY })),
    }),
    { maxLength: 4 },
  ),
  byDesign: fc.array(someWindow, { maxLength: 3 }),
  probes: fc.array(someMinute, { minLength: 20, maxLength: 20 }),
});
type SomeSchedule = typeof someSchedule extends fc.Arbitrary<infer One> ? One : never;

function countedSince(walk: Walk, { rotation, since }: SomeSchedule['pool'][number], made: number) {
  if (since === null) return rotation;
  let date = instantAt(walk, made).toZonedDateTimeISO(walk.zone).toPlainDate();
  if (rotation.unit === 'days') date = date.subtract({ days: since });
  else
    while (weekdays[date.dayOfWeek - 1] !== (rotation.handoff_day ?? 'monday'))
      date = date.subtract({ days: 1 });
  return { ...rotation, since: date.toString() };
}

function scheduleOf(drawn: SomeSchedule): Schedule {
  const { walk, pool, revisions, overrides, inactive, byDesign } = drawn;
  const made = new Map<number, Layer>();
  const layerOf = (index: number, minute: number) => {
    const one = pool[index];
    if (!one) throw new Error(`no layer ${index}`);
    const { users, windows, starts, ends } = one;
    const generated_at = instantAt(walk, minute);
    const isToCome = starts !== null && starts > minute;
    const rotation = isToCome ? one.rotation : countedSince(walk, one, minute);
    const declared: DeclaredLayer = {
      users,
      rotation,
      ...(windows && { restriction: { type: 'weekly', windows } }),
      ...(starts !== null && { starts_at: instantAt(walk, starts).toString() }),
      ...(ends !== null && { ends_at: instantAt(walk, ends).toString() }),
    };
    const beginning = { after: { timezone: walk.zone }, now: generated_at, isActive: () => true };
    const layer: Layer = made.get(index) ?? {
      ...declared,
      id: `layer${index}`,
      anchor: newAnchor(declared, beginning),
      generated_at,
    };
    made.set(index, layer);
    return layer;
  };
  const inOrder = revisions.toSorted((one, other) => one.from - other.from);
  return {
    revisions: inOrder.map(({ from, archived, layers }) => ({
      from: instantAt(walk, from),
      archived,
      timezone: walk.zone,
      layers: layers.map((index) => layerOf(index, from)),
    })),
    overrides: overrides.map(({ user_id, replaces_user_id, start, minutes }, index) => ({
      id: `${index}`,
      user_id,
      ...(replaces_user_id !== null && { replaces_user_id }),
      start: instantAt(walk, start),
      end: instantAt(walk, start + minutes),
    })),
    inactive: inactive.map(({ user_id, start, minutes }) => ({
      user_id,
      start: instantAt(walk, start),
      end: minutes === null ? null : instantAt(walk, start + minutes),
    })),
    ...(byDesign.length > 0 && { uncovered_by_design: byDesign }),
  };
}

test('shifts, of all layers and of one, are those that somebody who watches the clock would see', () => {
  fc.assert(
    fc.property(someSchedule, (drawn) => {
      const { walk } = drawn;
      const schedule = scheduleOf(drawn);
      const { effective, alone } = walked(walk, schedule);
      const shifts = shiftsIn(schedule, spanOf(walk)).map((shift) => asRun(walk, shift));
      assert.deepEqual(
        shifts,
        runsOf(effective, ({ who }) => who),
      );
      alone.forEach((seen, index) => {
        const own = layerShiftsIn(schedule, spanOf(walk), index).map((shift) => asRun(walk, shift));
        assert.deepEqual(
          own,
          runsOf(seen, ({ who }) => who),
        );
      });
    }),
    { numRuns: 15 },
  );
});

test('at any instant the person, the whole shift and the next boundary are as watched', () => {
  fc.assert(
    fc.property(someSchedule, (drawn) => {
      const { walk, probes } = drawn;
      const schedule = scheduleOf(drawn);
      const { effective } = walked(walk, schedule);
      const runs = runsOf(effective, ({ who }) => who);
      for (const minute of probes) {
        const at = instantAt(walk, minute);
        const { who = null, layer = null } = effective[minute] ?? {};
        const answer = onCallAt(schedule, at);
        assert.deepEqual([answer?.user_id, answer?.layer ?? null], [who?.split(' ')[0], layer]);
        const justBefore = onCallAt(schedule, at.add({ minutes: 1 }).subtract({ nanoseconds: 1 }));
        assert.deepEqual(justBefore, answer);

        const shift = shiftAt(schedule, at);
        const run = runs.find(({ start, end }) => start <= minute && minute < end);
        const whole = shift && asRun(walk, shift);
        assert.deepEqual([whole?.key, whole?.start], [run?.key, run?.start]);
        if (run && run.end < MINUTES) assert.deepEqual(whole, run);

        const change = effective.findIndex((seen, each) => each > minute && seen.who !== who);
        const next = nextBoundary(schedule, { from: at, to: instantAt(walk, MINUTES - 1) });
        assert.equal(next ? minuteOf(walk, next) : -1, change);
      }
    }),
    { numRuns: 10 },
  );
});

test('who is inactive is on call nowhere, not even in one layer', () => {
  fc.assert(
    fc.property(someSchedule, (drawn) => {
      const { walk } = drawn;
      const schedule = scheduleOf(drawn);
      const lanes = [0, 1, 2, 3].map((layer) => layerShiftsIn(schedule, spanOf(walk), layer));
      const all = [...shiftsIn(schedule, spanOf(walk)), ...lanes.flat()];
      for (const { user_id, start, end } of schedule.inactive ?? []) {
        const isMeanwhile = (shift: Shift) =>
          shift.user_id === user_id &&
          minuteOf(walk, shift.end) > minuteOf(walk, start) &&
          (end === null || minuteOf(walk, shift.start) < minuteOf(walk, end));
        assert.deepEqual(all.filter(isMeanwhile), []);
      }
    }),
    { numRuns: 60 },
  );
});

test('gaps are the minutes without anyone to page, and are by design where that was declared', () => {
  fc.assert(
    fc.property(someSchedule, (drawn) => {
      const { walk } = drawn;
      const schedule = scheduleOf(drawn);
      const { effective } = walked(walk, schedule);
      const declared = openByMinute(walk, drawn.byDesign);
      const isInForce = (minute: number) => {
        const begun = schedule.revisions.filter(({ from }) => minuteOf(walk, from) <= minute);
        return begun.at(-1)?.archived === false;
      };
      const kinds = effective.map((seen, minute): Seen => {
        const isEmpty = seen.who === null || isOf(seen, 'kim');
        const kind = declared[minute] && isInForce(minute) ? 'by design' : 'gap';
        return { who: isEmpty ? kind : null, layer: null };
      });
      const expected = (kind: string) =>
        runsOf(kinds, ({ who }) => (who === kind ? who : null)).map(({ start, end }) => [
          start,
          end,
        ]);
      const isMissing = (user: string) => (user === 'kim' ? 'is not active' : null);
      const { gaps, byDesign } = coverageOf(schedule, spanOf(walk), isMissing);
      const minutesOf = ({ start, end }: Gap) => [minuteOf(walk, start), minuteOf(walk, end)];
      assert.deepEqual(gaps.map(minutesOf), expected('gap'));
      assert.deepEqual(byDesign.map(minutesOf), expected('by design'));
    }),
    { numRuns: 10 },
  );
});

test('moves are the minutes that somebody has in one schedule only', () => {
  fc.assert(
    fc.property(someSchedule, (drawn) => {
      const { walk } = drawn;
      const after = scheduleOf(drawn);
      const before = {
        revisions: after.revisions.slice(0, -1),
        overrides: after.overrides.slice(0, 1),
        inactive: after.inactive?.slice(0, 1) ?? [],
      };
      const [old, edited] = [before, after].map((each) => walked(walk, each).effective);
      const moves = movesIn(before, after, spanOf(walk));
      for (const user of ['ada', 'lin', 'eve', 'kim']) {
        const has = (seen: readonly Seen[] | undefined, minute: number) =>
          isOf(seen?.[minute] ?? nobody, user);
        const changes = Array.from({ length: MINUTES }, (_, minute): Seen => {
          const [had, now] = [has(old, minute), has(edited, minute)];
          return { who: had === now ? null : now ? 'gained' : 'lost', layer: null };
        });
        assert.deepEqual(
          (moves.get(user) ?? []).map(({ type, start, end }) => [
            type,
            minuteOf(walk, start),
            end ? minuteOf(walk, end) : MINUTES,
          ]),
          runsOf(changes, ({ who }) => who).map(({ key, start, end }) => [key, start, end]),
        );
      }
    }),
    { numRuns: 6 },
  );
});
