import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instant, layer, made, override, revision, schedule } from '../../test/schedules.ts';
import { coverageOf } from './coverage.ts';
import type { Schedule } from './schedule.ts';
import { cutShiftsIn, lanesIn, layerShiftsIn, shiftAt } from './shifts.ts';
import { beginAround, wholeGaps } from './wholes.ts';

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

test('what an instant cuts began with the shift, the gap, or the turn of a layer below', () => {
  const weekly = layer({ users: ['eve'] });
  const at = (text: string) => String(beginAround(schedule([atNight]), instant(text)));
  assert.equal(at('2026-03-04T01:00:00Z'), '2026-03-03T21:00:00Z');
  assert.equal(at('2026-03-04T08:00:00Z'), '2026-03-04T05:00:00Z');
  assert.equal(at('2026-03-01T08:00:00Z'), '2026-03-01T08:00:00Z');
  const below = beginAround(schedule([weekly, atNight]), instant('2026-03-04T01:00:00Z'));
  assert.equal(String(below), String(made));
});
