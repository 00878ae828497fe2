import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { recordedStretches, stretchText } from '../../test/recorded-shifts.ts';
import {
  daily,
  type Edit,
  noHistory,
  overridden,
  type Save,
  saved,
  withdrawn,
} from '../../test/schedule-history.ts';
import { everyOtherHour } from '../../test/schedules.ts';
import { type History, scheduleAsOf } from '../oncall/revisions/history.ts';
import type { Move } from '../oncall/schedule.ts';
import { shiftAt, shiftsIn } from '../oncall/shifts.ts';
import {
  type Advance,
  advanceCursor,
  isAnnounced,
  type ShiftCursor,
  type ShiftEvent,
} from './advance.ts';

const begin = Temporal.Instant.from('2026-03-02T00:00:00Z');
const hour = (hours: number) => begin.add({ milliseconds: Math.round(hours * 3_600_000) });
const hoursOf = (at: Temporal.Instant) => (at.epochMilliseconds - begin.epochMilliseconds) / 3.6e6;

/** A schedule that is edited and advanced; times are hours since it began. */
class EditedSchedule {
  history: History = noHistory;
  cursor: ShiftCursor = { advanced_to: begin, running: null, edits: 0, seen_edits: 0 };
  readonly events: ShiftEvent[] = [];
  #ids = 0;
  #edited = begin;

  constructor(...users: readonly (string | null)[]) {
    this.save(0, { layers: [daily(...users)] });
    this.cursor = { ...this.cursor, seen_edits: 1 };
  }

  save(at: number, save: Save): this {
    this.history = saved(this.history, this.#edit(at), save);
    return this;
  }

  override(at: number, user_id: string, [start, end]: readonly [number, number]): this {
    const edit = this.#edit(at);
    const override = { id: `o${edit.edit}`, user_id, start: hour(start), end: hour(end) };
    this.history = overridden(this.history, edit, override);
    return this;
  }

  withdraw(at: number, id: string): this {
    this.history = withdrawn(this.history, this.#edit(at), id);
    return this;
  }

  advance(at: number): Advance {
    const { history } = this;
    const newId = () => `s${++this.#ids}`;
    const advanced = advanceCursor(this.cursor, { history, now: hour(at), newId });
    this.cursor = advanced.cursor;
    this.events.push(...advanced.events);
    return advanced;
  }

  /** Never before the cursor, nor before an earlier edit. */
  #edit(at: number) {
    const times = [hour(at), this.cursor.advanced_to, this.#edited].sort(Temporal.Instant.compare);
    this.#edited = times.at(-1) ?? begin;
    this.cursor = { ...this.cursor, edits: this.cursor.edits + 1 };
    return { edit: this.cursor.edits, at: this.#edited };
  }
}

const eventText = (event: ShiftEvent) =>
  `${isAnnounced(event) ? '' : 'silent '}${event.type} ${event.shift.user_id} ${hoursOf(event.at)}`;
const announced = (advanced: Advance) => advanced.events.map(eventText);
const wakes = ({ wakeAt }: Advance) => wakeAt && hoursOf(wakeAt);
const endOf = ({ end }: Move) => (end ? hoursOf(end) : '');
const moved = ({ moves }: Advance) =>
  [...moves].map(([user, all]) =>
    [user, ...all.map((one) => `${one.type} ${hoursOf(one.start)}-${endOf(one)}`)].join(' '),
  );

test('an edit of the same instant that gives the turn to another is told, too', () => {
  const schedule = new EditedSchedule('ada');
  schedule.advance(0);
  schedule.save(0, { layers: [daily('lin')] });
  assert.deepEqual(announced(schedule.advance(0)), ['end ada 0', 'start lin 0']);
});

test('a handoff ends one shift and starts the next at the same instant, in this order', () => {
  const rota = new EditedSchedule('ada', 'lin');
  assert.deepEqual(announced(rota.advance(0)), ['start ada 0']);
  const handoff = rota.advance(24);
  assert.deepEqual(announced(handoff), ['end ada 24', 'start lin 24']);
  assert.equal(wakes(handoff), 48);
  assert.deepEqual(
    handoff.shifts.map(({ id, user_id }) => [id, user_id]),
    [['s2', 'lin']],
  );
});

test('what is told late happened when it was due', () => {
  const rota = new EditedSchedule('ada', 'lin');
  rota.advance(0);
  assert.deepEqual(announced(rota.advance(30)), ['end ada 24', 'start lin 24']);
});

test('what began and ended between two advances is recorded and not announced', () => {
  const rota = new EditedSchedule('ada', 'lin', 'eve');
  rota.advance(0);
  assert.deepEqual(announced(rota.advance(80)), [
    'end ada 24',
    ...['silent start lin 24', 'silent end lin 48'],
    ...['silent start eve 48', 'silent end eve 72'],
    'start ada 72',
  ]);
});

test('a long absence is made up for in pieces, and nothing of it is announced but its ends', () => {
  const rota = new EditedSchedule('ada', 'lin');
  rota.advance(0);
  const pieces = [];
  let advanced = rota.advance(250 * 24);
  for (; wakes(advanced) !== 251 * 24; advanced = rota.advance(250 * 24))
    pieces.push(wakes(advanced));
  assert.deepEqual(pieces, [100 * 24, 200 * 24]);
  const announced = rota.events.filter(isAnnounced).map(eventText);
  assert.deepEqual(announced, ['start ada 0', 'end ada 24', `start ada ${250 * 24}`]);
  assert.equal(rota.events.length, 1 + 2 * 250);
});

test('an override takes over and gives back, each stretch a shift of its own', () => {
  const rota = new EditedSchedule('ada').override(0, 'lin', [2, 4]);
  assert.deepEqual(announced(rota.advance(0)), ['start ada 0']);
  assert.deepEqual(announced(rota.advance(2)), ['end ada 2', 'start lin 2']);
  assert.deepEqual(announced(rota.advance(4)), ['end lin 4', 'start ada 4']);
});

test('a running shift that an edit shortens keeps its id and is recorded with its new end', () => {
  const rota = new EditedSchedule('ada');
  const [first] = rota.advance(0).shifts;
  const advanced = rota.override(1, 'lin', [6, 8]).advance(1);
  assert.deepEqual(advanced.events, []);
  assert.deepEqual(advanced.shifts, [{ ...first, end: hour(6) }]);
  assert.equal(wakes(advanced), 6);
});

test('an edit of the effective layer ends the running shift and starts a new one', () => {
  const rota = new EditedSchedule('ada', 'lin');
  rota.advance(0);
  rota.save(5, { layers: [daily('ada', 'lin', 'eve')] });
  assert.deepEqual(announced(rota.advance(5)), ['end ada 5', 'start ada 5']);
});

test('an edit at the instant of an advance takes effect in the next one', () => {
  const rota = new EditedSchedule('ada');
  rota.advance(3);
  rota.override(1, 'lin', [1, 4]);
  assert.deepEqual(announced(rota.advance(3)), ['end ada 3', 'start lin 3']);
});

test('of two edits in quick succession only what is true in the end is announced', () => {
  const rota = new EditedSchedule('ada');
  rota.advance(0);
  rota.override(1, 'lin', [0, 9]).withdraw(2, 'o2');
  assert.deepEqual(announced(rota.advance(2)), [
    'end ada 1',
    ...['silent start lin 1', 'silent end lin 2'],
    'start ada 2',
  ]);
});

test('archiving ends the running shift for good, restoring starts one', () => {
  const rota = new EditedSchedule('ada');
  rota.advance(0);
  const archived = rota.save(5, { archived: true }).advance(5);
  assert.deepEqual(announced(archived), ['end ada 5']);
  assert.equal(archived.wakeAt, null);
  assert.deepEqual(announced(rota.save(7, { archived: false }).advance(7)), ['start ada 7']);
});

test('what comes back after a pause is a new shift, of the same turn though it be', () => {
  const rota = new EditedSchedule('ada');
  rota.advance(3);
  rota.save(3, { archived: true }).save(5, { archived: false });
  assert.deepEqual(announced(rota.advance(6)), ['end ada 3', 'start ada 5']);
});

test('a schedule with nobody on call advances when somebody is, and once a week', () => {
  const rota = new EditedSchedule(null, 'ada');
  assert.equal(wakes(rota.advance(0)), 24);
  assert.equal(wakes(new EditedSchedule(null).advance(0)), 7 * 24);
});

test('a clock behind the cursor changes nothing', () => {
  const rota = new EditedSchedule('ada');
  rota.advance(5);
  const { cursor } = rota;
  rota.override(2, 'lin', [0, 9]);
  const advanced = rota.advance(4);
  assert.deepEqual([announced(advanced), advanced.shifts, wakes(advanced)], [[], [], 5]);
  assert.deepEqual(rota.cursor, { ...cursor, edits: 2 });
});

test('an edit tells whom it moves, up to 60 days ahead', () => {
  const rota = new EditedSchedule('ada');
  rota.advance(0);
  rota.override(1, 'lin', [6, 8]).override(1, 'eve', [60 * 24 + 2, 60 * 24 + 5]);
  assert.deepEqual(moved(rota.advance(1)), ['ada lost 6-8', 'lin gained 6-8']);
  assert.deepEqual(moved(rota.advance(2)), []);
});

test('who is told of a start is not told that it was gained, but of all else', () => {
  const rota = new EditedSchedule('ada', 'lin');
  rota.advance(0);
  rota.override(1, 'eve', [0, 3]).override(1, 'eve', [9, 10]);
  const advanced = rota.advance(1);
  assert.deepEqual(announced(advanced), ['end ada 1', 'start eve 1']);
  assert.deepEqual(moved(advanced), ['ada lost 1-3 lost 9-10', 'eve gained 9-10']);
});

test('what somebody gained beyond the shift that is announced is told', () => {
  const rota = new EditedSchedule('ada');
  rota.advance(0);
  rota.save(1, { layers: [daily('lin')] });
  const advanced = rota.advance(1);
  assert.deepEqual(announced(advanced), ['end ada 1', 'start lin 1']);
  assert.deepEqual(moved(advanced), ['ada lost 1-', 'lin gained 24-']);
});

type Step = {
  readonly hours: number;
  readonly does: (rota: EditedSchedule, at: number) => unknown;
};

const anyUser = fc.constantFrom('ada', 'lin', 'eve');
const anyUsers = fc.array(fc.option(anyUser, { freq: 4 }), { minLength: 1, maxLength: 3 });
const anyLayer = fc.record({
  users: anyUsers,
  rotation: fc.record({
    unit: fc.constantFrom('days', 'weeks'),
    length: fc.integer({ min: 1, max: 2 }),
    handoff: fc.constantFrom('00:00', '09:30'),
  }),
});
const anySave = fc.oneof(
  fc.record({ layers: fc.array(anyLayer, { minLength: 1, maxLength: 2 }) }),
  fc.constantFrom({ archived: true }, { archived: false }, { timezone: 'Europe/Paris' }),
);
const anyDeed: fc.Arbitrary<Step['does']> = fc.oneof(
  { weight: 4, arbitrary: fc.constant((rota: EditedSchedule, at: number) => rota.advance(at)) },
  { weight: 1, arbitrary: fc.constant((rota: EditedSchedule, at: number) => rota.advance(at - 3)) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(anyUser, fc.integer({ min: -5, max: 30 }), fc.integer({ min: 1, max: 40 }))
      .map(
        ([user, from, long]) =>
          (rota: EditedSchedule, at: number) =>
            rota.override(at, user, [at + from, at + from + long]),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 2, max: 12 })
      .map((edit) => (rota: EditedSchedule, at: number) => rota.withdraw(at, `o${edit}`)),
  },
  {
    weight: 2,
    arbitrary: anySave.map((save) => (rota: EditedSchedule, at: number) => rota.save(at, save)),
  },
);
const anyHours = fc.constantFrom(0, 0, 0.5, 1, 7, 24, 100);
const anyStory = fc.array(fc.record({ hours: anyHours, does: anyDeed }), { maxLength: 25 });

/** Runs the story and advances once more; answers the last instant. */
function lived(rota: EditedSchedule, story: readonly Step[]): Temporal.Instant {
  let at = 0;
  for (const { hours, does } of story) {
    at += hours;
    does(rota, at);
  }
  const end = hoursOf(
    [hour(at), rota.cursor.advanced_to].sort(Temporal.Instant.compare)[1] ?? begin,
  );
  // Edits may lie ahead of a clock that went back.
  rota.advance(end + 1);
  return hour(end + 1);
}

test('however often it advances, each shift starts once, then ends once, before the next', () => {
  fc.assert(
    fc.property(anyUsers, anyStory, (users, story) => {
      const rota = new EditedSchedule(...users);
      lived(rota, story);
      let open: string | null = null;
      let last = begin;
      const seen = new Set<string>();
      for (const { type, at, shift } of rota.events) {
        assert.ok(Temporal.Instant.compare(last, at) <= 0);
        last = at;
        assert.equal(open, type === 'start' ? null : shift.id);
        assert.equal(seen.has(`${type} ${shift.id}`), false);
        seen.add(`${type} ${shift.id}`);
        open = type === 'start' ? shift.id : null;
      }
      assert.equal(open, rota.cursor.running?.id ?? null);
    }),
    { numRuns: 500 },
  );
});

test('an end is announced if and only if its start was', () => {
  fc.assert(
    fc.property(anyUsers, anyStory, (users, story) => {
      const rota = new EditedSchedule(...users);
      lived(rota, story);
      const started = new Map<string, boolean>();
      for (const event of rota.events) {
        if (event.type === 'start') started.set(event.shift.id, isAnnounced(event));
        else assert.equal(isAnnounced(event), started.get(event.shift.id));
      }
    }),
    { numRuns: 500 },
  );
});

test('in the end all shifts are recorded, however often the cursor advanced', () => {
  fc.assert(
    fc.property(anyUsers, anyStory, (users, story) => {
      const rota = new EditedSchedule(...users);
      const end = lived(rota, story);
      const schedule = scheduleAsOf(rota.history);
      const { events, cursor } = rota;
      const { running } = cursor;
      const there = shiftsIn(schedule, { from: begin, to: end });
      assert.deepEqual(
        recordedStretches({ events, running, now: end }).map(stretchText),
        there.map(stretchText),
      );
      assert.deepEqual(running?.end, shiftAt(schedule, end)?.end);
    }),
    { numRuns: 500 },
  );
});

test('advancing twice to the same time does nothing the second time', () => {
  fc.assert(
    fc.property(anyUsers, anyStory, (users, story) => {
      const rota = new EditedSchedule(...users);
      const end = hoursOf(lived(rota, story));
      const { cursor } = rota;
      const again = rota.advance(end);
      assert.deepEqual([again.events, again.shifts, [...again.moves]], [[], [], []]);
      assert.deepEqual(again.cursor, cursor);
    }),
  );
});

test('an advance names the time of the next start or end', () => {
  fc.assert(
    fc.property(anyUsers, anyStory, (users, story) => {
      const rota = new EditedSchedule(...users);
      const at = hoursOf(lived(rota, story));
      const wakeAt = wakes(rota.advance(at)) ?? at + 1_000;
      assert.ok(wakeAt > at);
      const { running } = rota.cursor;
      const early = rota.advance(wakeAt - 1 / 3_600);
      assert.deepEqual([early.events, rota.cursor.running?.id], [[], running?.id]);
    }),
  );
});

test('a shift whose start is not found in so many steps is the same one all the same', () => {
  const layers = ([0, 1] as const).map((first) => ({
    ...daily('ada'),
    restriction: everyOtherHour(first),
  }));
  const cover = { id: 'o', user_id: 'bob', replaces_user_id: 'ada' };
  const edits = [1, 2].map((edit) => ({ edit, at: begin }));
  const [save, put] = edits as [Edit, Edit];
  const history = overridden(saved(noHistory, save, { layers }), put, {
    ...cover,
    start: begin,
    end: hour(24 * 365 * 10),
  });
  let ids = 0;
  const newId = () => `s${++ids}`;
  const none: ShiftCursor = { advanced_to: begin, running: null, edits: 2, seen_edits: 2 };
  const first = advanceCursor(none, { history, now: hour(1), newId });
  const late = advanceCursor(first.cursor, { history, now: hour(24 * 600), newId });
  assert.deepEqual(
    [first, late].map(({ events }) => events.map(eventText)),
    [['start bob 0'], []],
  );
  assert.equal(late.cursor.running?.id, 's1');
  assert.equal(late.cursor.running?.start.equals(begin), true);
});
