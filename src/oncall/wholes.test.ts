import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countStretches,
  everyOtherHour,
  instant,
  layer,
  made,
  override,
  revision,
  schedule,
} from '../../test/schedules.ts';
import { queryLimits } from '../limits/queries.ts';
import { coverageOf } from './coverage.ts';
import type { Schedule } from './schedule.ts';
import { cutShiftsIn, lanesIn, layerShiftsIn, shiftAt } from './shifts.ts';
import { beginAround, shiftBegin, wholeGaps } from './wholes.ts';

const daily = { length: 1, unit: 'days' } as const;
const interval = (from: string, to: string) => ({ from: instant(from), to: instant(to) });
const day = interval('2026-03-03T23:00:00Z', '2026-03-04T23:00:00Z');
const nights = {
  type: 'weekly',
  windows: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map(
    (from_day, index, days) => ({
      from_day,
      from_time: '22:00',
      to_day: days[index + 1] ?? 'saturday',
      to_time: '06:00',
    }),
  ),
} as const;
const atNight = layer({
  users: ['ada', 'lin'],
  rotation: { ...daily, handoff: '12:00' },
  restriction: nights,
});

type Cut = ReturnType<typeof cutShiftsIn>[number];
const textOf = ({ user_id, start, end, whole }: Cut) =>
  `${user_id} ${start}/${end} of ${whole.start}/${whole.end}`;

test('a shift at the edge of an interval has its whole beside it', () => {
  const expected = [
    'ada 2026-03-03T23:00:00Z/2026-03-04T05:00:00Z of 2026-03-03T21:00:00Z/2026-03-04T05:00:00Z',
    'lin 2026-03-04T21:00:00Z/2026-03-04T23:00:00Z of 2026-03-04T21:00:00Z/2026-03-05T05:00:00Z',
  ];
  const input = schedule([atNight]);
  assert.deepEqual(cutShiftsIn(input, day).map(textOf), expected);
  assert.deepEqual(layerShiftsIn(input, day, 0).map(textOf), expected);
  assert.deepEqual(lanesIn(input, day)[0]?.shifts.map(textOf), expected);
});

test('it goes on through saves and through higher layers that have nobody', () => {
  const long = layer({ users: ['ada', 'lin'], rotation: { length: 3, unit: 'weeks' } });
  const above = layer({ users: [null, null], rotation: daily, restriction: nights });
  const input: Schedule = {
    revisions: [
      revision([long]),
      { ...revision([long, above]), from: instant('2026-03-03T01:00:00Z') },
      { ...revision([above, long]), from: instant('2026-03-05T01:00:00Z') },
    ],
    overrides: [],
  };
  const [shift, ...rest] = cutShiftsIn(input, day);
  assert.deepEqual(rest, []);
  const all = shiftAt(input, day.from);
  assert.deepEqual([shift?.whole.start, shift?.whole.end], [all?.start, all?.end]);
  assert.equal(String(shift?.whole.start), String(made));
  const [lane] = lanesIn(input, day).filter(({ shifts }) => shifts.length > 0);
  assert.deepEqual(
    lane?.shifts.map(({ whole }) => String(whole.end)),
    [String(all?.end)],
  );
});

test('an override for one person is whole as long as that person has the turn', () => {
  const input = schedule(
    [atNight],
    [
      override('2026-03-01T00:00:00Z', '2031-01-01T00:00:00Z', {
        user_id: 'eve',
        replaces_user_id: 'ada',
      }),
    ],
  );
  assert.deepEqual(
    cutShiftsIn(input, interval('2026-03-03T23:00:00Z', '2026-03-04T01:00:00Z')).map(textOf),
    ['eve 2026-03-03T23:00:00Z/2026-03-04T01:00:00Z of 2026-03-03T21:00:00Z/2026-03-04T05:00:00Z'],
  );
});

const gapsIn = (
  input: Schedule,
  { now = made, missing = [] as readonly string[], most = 20_000, span = day } = {},
) => {
  const { gaps } = coverageOf(input, span, (id) => (missing.includes(id) ? 'is away' : null));
  return wholeGaps(gaps, input, {
    interval: span,
    missing: (id) => missing.includes(id),
    now,
    most,
  }).map(({ start, end, reason }) => `${start}/${end ?? ''} ${reason.type}`);
};

test('a gap at the edge of an interval is whole; without an end it has none', () => {
  assert.deepEqual(gapsIn(schedule([atNight])), [
    '2026-03-04T05:00:00Z/2026-03-04T21:00:00Z outside_windows',
  ]);
  const noon = interval('2026-03-04T11:00:00Z', '2026-03-04T12:00:00Z');
  assert.deepEqual(gapsIn(schedule([atNight]), { span: noon }), [
    '2026-03-04T05:00:00Z/2026-03-04T21:00:00Z outside_windows',
  ]);
  const before = interval('2026-03-01T12:00:00Z', '2026-03-02T12:00:00Z');
  assert.deepEqual(gapsIn(schedule([atNight]), { span: before }), [
    '2026-03-01T12:00:00Z/2026-03-02T21:00:00Z not_in_force',
  ]);
  const ended = schedule([{ ...atNight, ends_at: '2026-03-03T00:00:00Z' }]);
  assert.deepEqual(gapsIn(ended), ['2026-03-03T00:00:00Z/ ended']);
  const far = schedule(
    [{ ...atNight, ends_at: '2026-03-03T00:00:00Z' }],
    [override('2035-01-01T00:00:00Z', '2035-01-02T00:00:00Z', { user_id: 'eve' })],
  );
  assert.deepEqual(gapsIn(far), ['2026-03-03T00:00:00Z/2035-01-01T00:00:00Z ended']);
});

test('a gap is followed for ten years after its own start', () => {
  const ended = { ...atNight, ends_at: '2036-02-01T00:00:00Z' };
  const again = {
    ...layer({ users: ['lin'], rotation: daily }),
    starts_at: '2036-04-01T00:00:00Z',
  };
  const tenYears = interval('2026-03-04T00:00:00Z', '2036-03-04T00:00:00Z');
  const last = gapsIn(schedule([ended, again]), { span: tenYears }).at(-1);
  assert.match(last ?? '', /^2036-02-01T00:00:00Z\/2036-04-01T00:00:00Z /);
});

test('who is missing is so from now on, and a search that takes too long finds no end', () => {
  const input = schedule([layer({ users: ['ada'], rotation: daily })]);
  const options = { missing: ['ada'], now: instant('2026-03-03T12:00:00Z') };
  assert.deepEqual(gapsIn(input, options), ['2026-03-03T12:00:00Z/ missing']);
  const turns = schedule([layer({ users: ['lin', 'ada'], rotation: { length: 9, unit: 'days' } })]);
  const all = '2026-03-03T12:00:00Z/2026-03-11T23:00:00Z missing';
  assert.deepEqual(gapsIn(turns, options), [all]);
  const [first] = gapsIn(turns, { ...options, most: 0 });
  assert.equal(first, '2026-03-03T23:00:00Z/ missing');
});

const beginOf = (input: Schedule, at: string, most = 100) =>
  String(beginAround(input, { at: instant(at), since: made, most }));

test('what an instant cuts began with the shift, the gap, or the turn of a layer below', () => {
  const weekly = layer({ users: ['eve'] });
  const at = (text: string) => beginOf(schedule([atNight]), text);
  assert.equal(at('2026-03-04T01:00:00Z'), '2026-03-03T21:00:00Z');
  assert.equal(at('2026-03-04T08:00:00Z'), '2026-03-04T05:00:00Z');
  assert.equal(at('2026-03-01T08:00:00Z'), '2026-03-01T08:00:00Z');
  const below = beginOf(schedule([weekly, atNight]), '2026-03-04T01:00:00Z');
  assert.equal(below, String(made));
});

/** Ada has every hour, of two layers in turn; Bob covers her for ten years. */
function covered() {
  const timezone = 'Etc/UTC';
  const layers = ([0, 1] as const).map((first) =>
    layer({ users: ['ada'], restriction: everyOtherHour(first) }, timezone),
  );
  const cover = { user_id: 'bob', replaces_user_id: 'ada' };
  const input: Schedule = {
    revisions: [revision(layers, { timezone })],
    overrides: [override('2026-03-02T09:00:00Z', '2036-03-02T09:00:00Z', cover)],
  };
  return { input, stretches: countStretches(input) };
}

test('a walk back ends where the past is not known, and after so many steps', () => {
  const at = '2026-03-12T09:00:00Z';
  const { input, stretches: one } = covered();
  assert.equal(beginOf(input, at, 1_000), '2026-03-02T09:00:00Z');
  const all = one.count;
  const known = instant('2026-03-11T09:00:00Z');
  assert.equal(
    String(beginAround(input, { at: instant(at), since: known, most: 1_000 })),
    '2026-03-11T09:00:00Z',
  );
  assert.ok(one.count - all < 60, `${one.count - all} stretches were asked`);
  assert.equal(beginOf(input, at, 10), '2026-03-11T23:00:00Z');
  assert.equal(
    String(shiftBegin(input, { at: instant(at), since: made, most: 10 })),
    '2026-03-11T23:00:00Z',
  );
});

test('a shift through very many changes is followed to the limit of steps', () => {
  const { input, stretches: one } = covered();
  const now = instant('2031-03-04T11:00:00Z');
  const steps = { hours: queryLimits.shiftSteps };
  const [from, to] = [now.subtract(steps), now.add(steps)];
  const shift = shiftAt(input, now);
  const whole = [from, to.add({ hours: 1 })].map(String);
  assert.deepEqual([`${shift?.start}`, `${shift?.end}`], whole);
  const [cut] = cutShiftsIn(input, { from: now, to: now.add({ hours: 1 }) });
  assert.deepEqual([`${cut?.whole.start}`, `${cut?.whole.end}`], whole);
  assert.ok(one.count < 8 * queryLimits.shiftSteps, `${one.count} stretches were asked`);
  const few = shiftAt(input, now, 10);
  assert.equal(few?.end.since(few.start).total('hours'), 21);
});

test('no shift is followed back for more than ten years', () => {
  const input = schedule([layer({ users: ['ada'], rotation: { length: 1_000, unit: 'weeks' } })]);
  const [cut] = cutShiftsIn(input, interval('2040-03-04T00:00:00Z', '2040-03-05T00:00:00Z'));
  assert.equal(String(cut?.whole.start), '2030-03-04T00:00:00Z');
  assert.equal(String(cut?.whole.end), '2045-05-07T22:00:00Z');
});
