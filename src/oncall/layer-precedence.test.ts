// What must hold of any schedule, over years; random ones, at whole seconds and in any zone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { instant, layer } from '../../test/schedules.ts';
import { coverageOf } from './coverage.ts';
import { onCallAt } from './on-call.ts';
import type { Layer, Override, Revision, Schedule } from './schedule.ts';
import { cutShiftsIn, layerShiftsIn, nextBoundary, shiftAt, shiftsIn } from './shifts.ts';
import { wholeGaps } from './wholes.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 300 });

const from = instant('2026-01-01T00:00:00Z');
const to = instant('2027-01-01T00:00:00Z');
const year = { from, to };

const someInstant = fc
  .integer({ min: 0, max: 364 * 86_400 })
  .map((seconds) => from.add({ seconds }));
const somebody = fc.constantFrom('ada', 'lin', 'eve', 'kim');
const someDay = fc.constantFrom('monday', 'tuesday', 'friday', 'sunday');
const someTime = fc.constantFrom('00:00', '02:30', '08:00', '17:45');
const someZone = fc.constantFrom('Europe/Berlin', 'Africa/Cairo', 'America/Nuuk', 'Etc/UTC');
const someRotation = fc.record({
  length: fc.integer({ min: 1, max: 12 }),
  unit: fc.constantFrom('days' as const, 'weeks' as const),
  handoff: someTime,
});
const someWindow = fc.record({
  from_day: someDay,
  from_time: someTime,
  to_day: someDay,
  to_time: someTime,
});
const layerIn = (timezone: string) =>
  fc
    .record({
      id: fc.uuid(),
      users: fc.array(fc.option(somebody), { minLength: 1, maxLength: 5 }),
      rotation: someRotation,
      windows: fc.option(fc.array(someWindow, { minLength: 1, maxLength: 3 })),
      generated_at: someInstant,
    })
    .map(({ windows, ...input }): Layer => {
      const restriction = windows && { type: 'weekly' as const, windows };
      return layer({ ...input, ...(restriction && { restriction }) }, timezone);
    });
const someRevision: fc.Arbitrary<Revision> = someZone.chain((timezone) =>
  fc.record({
    from: someInstant,
    archived: fc.nat({ max: 5 }).map((dice) => dice === 0),
    timezone: fc.constant(timezone),
    layers: fc.array(layerIn(timezone), { minLength: 1, maxLength: 4 }),
  }),
);
const someOverride: fc.Arbitrary<Override> = fc
  .record({
    id: fc.uuid(),
    user_id: somebody,
    replaces_user_id: fc.option(somebody, { nil: undefined }),
    start: someInstant,
    hours: fc.integer({ min: 1, max: 1_000 }),
  })
  .map(({ hours, replaces_user_id, start, ...input }) => ({
    ...input,
    ...(replaces_user_id !== undefined && { replaces_user_id }),
    start,
    end: start.add({ hours }),
  }));
const someRevisions = fc
  .array(someRevision, { minLength: 1, maxLength: 3 })
  .map((revisions) => revisions.sort((one, other) => compare(one.from, other.from)));
const someSchedule: fc.Arbitrary<Schedule> = fc.record({
  revisions: someRevisions,
  overrides: fc.array(someOverride, { maxLength: 4 }),
});

const compare = (one: Temporal.Instant, other: Temporal.Instant) =>
  Temporal.Instant.compare(one, other);
const justBefore = (at: Temporal.Instant) => at.subtract({ nanoseconds: 1 });

/** Who is on call at each instant at which a schedule could say something else. */
const seen = (schedule: Schedule, span = year) =>
  shiftsIn(schedule, span).map(({ start, end, user_id }) => `${start} ${end} ${user_id}`);

test('shifts are in their order, apart, inside the interval, and as long as they can be', () => {
  fc.assert(
    fc.property(someSchedule, (schedule) => {
      const shifts = shiftsIn(schedule, year);
      for (const [index, { start, end, source }] of shifts.entries()) {
        const next = shifts[index + 1];
        assert.ok(compare(from, start) <= 0 && compare(start, end) < 0 && compare(end, to) <= 0);
        if (!next) continue;
        assert.ok(compare(end, next.start) <= 0);
        assert.ok(!end.equals(next.start) || source !== next.source);
      }
    }),
  );
});

test('a shift says who is on call from its first instant to its last, and between shifts nobody', () => {
  fc.assert(
    fc.property(someSchedule, (schedule) => {
      const shifts = shiftsIn(schedule, year);
      for (const [index, { start, end, user_id, source }] of shifts.slice(0, 100).entries()) {
        for (const at of [start, justBefore(end)]) {
          assert.equal(onCallAt(schedule, at)?.user_id, user_id);
          assert.equal(shiftAt(schedule, at)?.source, source);
        }
        if (shifts[index + 1]?.start.equals(end) || end.equals(to)) continue;
        assert.equal(onCallAt(schedule, end), null);
        assert.equal(shiftAt(schedule, end), null);
      }
    }),
  );
});

test('the shifts of a shorter interval are those of a longer one, clipped', () => {
  fc.assert(
    fc.property(someSchedule, someInstant, fc.nat({ max: 2_000 }), (schedule, start, hours) => {
      const end = start.add({ hours });
      const inside = shiftsIn(schedule, { from, to: to.add({ hours: 2_000 }) })
        .map((shift) => ({
          ...shift,
          start: compare(shift.start, start) < 0 ? start : shift.start,
          end: compare(shift.end, end) > 0 ? end : shift.end,
        }))
        .filter((shift) => compare(shift.start, shift.end) < 0);
      const clipped = shiftsIn(schedule, { from: start, to: end });
      // The layer's index may differ: it is that of the latest revision which the interval has.
      const rowsOf = (shifts: typeof clipped) =>
        shifts.map((shift) => [shift.user_id, shift.source, `${shift.start}`, `${shift.end}`]);
      assert.deepEqual(rowsOf(clipped), rowsOf(inside));
    }),
  );
});

test('what an interval cuts has its whole beside it, as a longer interval has it', () => {
  const long = { from: from.subtract({ hours: 3 * 8_760 }), to: to.add({ hours: 3 * 8_760 }) };
  const textOf = ({ start, end }: { start: Temporal.Instant; end: Temporal.Instant | null }) =>
    `${start}/${end}`;
  fc.assert(
    fc.property(someSchedule, someInstant, fc.nat({ max: 600 }), (schedule, start, hours) => {
      const short = { from: start, to: start.add({ hours: hours + 1 }) };
      const touches = (one: { start: Temporal.Instant; end: Temporal.Instant }) =>
        compare(one.start, short.to) < 0 && compare(one.end, short.from) > 0;
      assert.deepEqual(
        cutShiftsIn(schedule, short).map(({ whole }) => textOf(whole)),
        shiftsIn(schedule, long).filter(touches).map(textOf),
      );
      const { gaps } = coverageOf(schedule, short, () => null);
      const wholes = wholeGaps(gaps, schedule, {
        interval: short,
        missing: () => false,
        now: from,
        most: 20_000,
      });
      const isNever = ({ reason }: { reason: { type: string } }) => reason.type !== 'not_in_force';
      const expected = coverageOf(schedule, long, () => null).gaps.filter(touches);
      // A gap that begins before the schedule, or while it is archived, counts from the save.
      const ends = expected.map(({ end }) => (end.equals(long.to) ? null : end));
      assert.deepEqual(
        wholes.map(({ end }) => end?.toString() ?? null),
        ends.map((end) => end?.toString() ?? null),
      );
      for (const [index, gap] of wholes.entries()) {
        const whole = expected[index];
        if (whole !== undefined && isNever(whole) && isNever(gap))
          assert.ok(compare(gap.start, whole.start) >= 0);
      }
    }),
    { numRuns: 100 },
  );
});

test('boundaries, followed one after another, are the edges of the shifts', () => {
  fc.assert(
    fc.property(someSchedule, (schedule) => {
      const edges = shiftsIn(schedule, year).flatMap(({ start, end }) => [`${start}`, `${end}`]);
      const inside = new Set(edges.filter((edge) => edge !== `${from}` && edge !== `${to}`));
      const boundaries: string[] = [];
      const until = justBefore(to);
      let at = nextBoundary(schedule, { from, to: until });
      for (; at !== null; at = nextBoundary(schedule, { from: at, to: until }))
        boundaries.push(`${at}`);
      assert.deepEqual(boundaries, [...inside]);
    }),
  );
});

test('2.6.1 a layer put on top only replaces: where it has nobody all stays as it was', () => {
  fc.assert(
    fc.property(
      someZone.chain((zone) =>
        fc.tuple(fc.array(layerIn(zone), { minLength: 2, maxLength: 4 }), fc.constant(zone)),
      ),
      someInstant,
      ([layers, timezone], at) => {
        const of = (some: readonly Layer[]) => ({
          revisions: [{ from, archived: false, timezone, layers: some }],
          overrides: [],
        });
        const [all, below] = [of(layers), of(layers.slice(0, -1))];
        const top = layers.length - 1;
        const span = { from: at, to: at.add({ hours: 1 }) };
        const [own] = layerShiftsIn(all, span, top);
        const want = own?.start.equals(at)
          ? { user_id: own.user_id, layer: top }
          : onCallAt(below, at);
        assert.deepEqual(onCallAt(all, at), want);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('an override changes nothing before its start and from its end on', () => {
  fc.assert(
    fc.property(someSchedule, someOverride, (schedule, override) => {
      const more = { ...schedule, overrides: [...schedule.overrides, override] };
      const { start, end } = override;
      assert.deepEqual(seen(more, { from, to: start }), seen(schedule, { from, to: start }));
      assert.deepEqual(seen(more, { from: end, to }), seen(schedule, { from: end, to }));
      for (const { user_id } of shiftsIn(more, { from: start, to: end }))
        if (override.replaces_user_id === undefined) assert.equal(user_id, override.user_id);
    }),
  );
});

test('a save changes nothing before it', () => {
  fc.assert(
    fc.property(someSchedule, someRevision, (schedule, revision) => {
      const last = schedule.revisions.at(-1);
      if (!last || compare(revision.from, last.from) < 0) return;
      const saved = { ...schedule, revisions: [...schedule.revisions, revision] };
      const past = { from, to: revision.from };
      assert.deepEqual(shiftsIn(saved, past), shiftsIn(schedule, past));
    }),
  );
});
