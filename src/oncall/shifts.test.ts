import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instant, layer, made, override, revision, schedule } from '../../test/schedules.ts';
import type { Schedule, Shift } from './schedule.ts';
import { layerShiftsIn, nextBoundary, nextShift, shiftAt, shiftsIn } from './shifts.ts';

const daily = { length: 1, unit: 'days' } as const;
const nights = {
  type: 'weekly',
  windows: [{ from_day: 'friday', from_time: '18:00', to_day: 'monday', to_time: '08:00' }],
} as const;

const textOf = ({ user_id, layer, start, end }: Shift) => `${user_id} by ${layer}: ${start}/${end}`;
const interval = (from: string, to: string) => ({ from: instant(from), to: instant(to) });
const inMarch = interval('2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z');

function whole(input: Schedule, at: string): string | null {
  const shift = shiftAt(input, instant(at));
  return shift && textOf(shift);
}

test('shifts are clipped to the interval, and are whole when asked for by an instant', () => {
  const input = schedule([layer({ users: ['ada', 'lin'] })]);
  const shifts = shiftsIn(input, interval('2026-03-07T00:00:00Z', '2026-03-10T00:00:00Z'));
  assert.deepEqual(shifts.map(textOf), [
    'ada by 0: 2026-03-07T00:00:00Z/2026-03-08T23:00:00Z',
    'lin by 0: 2026-03-08T23:00:00Z/2026-03-10T00:00:00Z',
  ]);
  const ada = 'ada by 0: 2026-03-02T09:00:00Z/2026-03-08T23:00:00Z';
  for (const at of ['2026-03-02T09:00:00Z', '2026-03-05T00:00:00Z', '2026-03-08T22:59:59.999Z'])
    assert.equal(whole(input, at), ada);
  assert.equal(whole(input, '2026-03-02T08:59:59.999Z'), null);
});

test('of an interval that is empty or turned round there are no shifts', () => {
  const input = schedule([layer({ users: ['ada'] })]);
  assert.deepEqual(shiftsIn(input, { from: made, to: made }), []);
  assert.deepEqual(shiftsIn(input, { from: made.add({ hours: 1 }), to: made }), []);
});

test('so many shifts and no more are the first ones, whole', () => {
  const input = schedule([
    layer({ users: ['ada', 'lin'], rotation: daily }),
    layer({ users: ['ada', null], rotation: daily, restriction: nights }),
  ]);
  const all = shiftsIn(input, inMarch);
  for (const most of [0, 1, 7, all.length, all.length + 1])
    assert.deepEqual(shiftsIn(input, inMarch, most), all.slice(0, most));
});

test('a person with two turns in a row has two shifts', () => {
  const input = schedule([layer({ users: ['ada'], rotation: daily })]);
  assert.deepEqual(
    shiftsIn(input, interval('2026-03-03T12:00:00Z', '2026-03-04T12:00:00Z')).map(textOf),
    [
      'ada by 0: 2026-03-03T12:00:00Z/2026-03-03T23:00:00Z',
      'ada by 0: 2026-03-03T23:00:00Z/2026-03-04T12:00:00Z',
    ],
  );
});

test('a later layer splits the shift of an earlier one in two', () => {
  const input = schedule([
    layer({ users: ['ada'] }),
    layer({ users: ['lin'], restriction: nights }),
  ]);
  assert.deepEqual(
    shiftsIn(input, interval('2026-03-06T00:00:00Z', '2026-03-10T00:00:00Z')).map(textOf),
    [
      'ada by 0: 2026-03-06T00:00:00Z/2026-03-06T17:00:00Z',
      'lin by 1: 2026-03-06T17:00:00Z/2026-03-08T23:00:00Z',
      'lin by 1: 2026-03-08T23:00:00Z/2026-03-09T07:00:00Z',
      'ada by 0: 2026-03-09T07:00:00Z/2026-03-10T00:00:00Z',
    ],
  );
  assert.equal(
    whole(input, '2026-03-04T00:00:00Z'),
    'ada by 0: 2026-03-02T09:00:00Z/2026-03-06T17:00:00Z',
  );
});

test('a shift begins and ends with the dates and windows of its layer, and with its turn', () => {
  const dates = { starts_at: '2026-03-03T00:00:00Z', ends_at: '2026-03-12T00:00:00Z' };
  const office = {
    type: 'weekly',
    windows: [{ from_day: 'wednesday', from_time: '09:00', to_day: 'tuesday', to_time: '17:00' }],
  } as const;
  const input = schedule([layer({ users: ['ada'], restriction: office, ...dates })]);
  assert.deepEqual(
    ['2026-03-03T12:00:00Z', '2026-03-08T00:00:00Z', '2026-03-09T00:00:00Z'].map((at) =>
      whole(input, at),
    ),
    [
      'ada by 0: 2026-03-03T00:00:00Z/2026-03-03T16:00:00Z',
      'ada by 0: 2026-03-04T08:00:00Z/2026-03-08T23:00:00Z',
      'ada by 0: 2026-03-08T23:00:00Z/2026-03-10T16:00:00Z',
    ],
  );
  assert.equal(
    whole(input, '2026-03-11T12:00:00Z'),
    'ada by 0: 2026-03-11T08:00:00Z/2026-03-12T00:00:00Z',
  );
  assert.equal(whole(input, '2026-03-02T12:00:00Z'), null);
});

test('turns of nobody above do not split a shift', () => {
  const above = layer({ users: [null, null, null], rotation: daily });
  assert.equal(
    whole(schedule([layer({ users: ['ada'] }), above]), '2026-03-04T00:00:00Z'),
    'ada by 0: 2026-03-02T09:00:00Z/2026-03-08T23:00:00Z',
  );
});

test('a save that leaves a layer as it was leaves its shift whole, at its new place', () => {
  const unchanged = layer({ id: 'kept', users: ['ada'] });
  const below = layer({ id: 'below', users: ['lin'] });
  const saved = instant('2026-03-04T12:00:00Z');
  const input = {
    revisions: [revision([unchanged]), revision([below, unchanged], { from: saved })],
    overrides: [],
  };
  const want = 'ada by 1: 2026-03-02T09:00:00Z/2026-03-08T23:00:00Z';
  for (const at of ['2026-03-03T00:00:00Z', '2026-03-05T00:00:00Z'])
    assert.equal(whole(input, at), want);
  assert.equal(nextBoundary(input, { from: made, to: saved.add({ hours: 1 }) }), null);
});

test('2.6.2 regenerating the effective layer ends its shift and starts another', () => {
  const saved = instant('2026-03-04T12:00:00Z');
  const before = layer({ users: ['ada', 'lin'] });
  const input = {
    revisions: [
      revision([before]),
      revision([{ ...before, generated_at: saved }], { from: saved }),
    ],
    overrides: [],
  };
  assert.deepEqual(
    shiftsIn(input, interval('2026-03-03T00:00:00Z', '2026-03-06T00:00:00Z')).map(textOf),
    [
      'ada by 0: 2026-03-03T00:00:00Z/2026-03-04T12:00:00Z',
      'ada by 0: 2026-03-04T12:00:00Z/2026-03-06T00:00:00Z',
    ],
  );
  assert.equal(`${nextBoundary(input, { from: made, to: inMarch.to })}`, `${saved}`);
});

test('an override is one shift over the turns that it covers, and one for each hole in them', () => {
  const eve = override('2026-03-03T12:00:00Z', '2026-03-07T12:00:00Z', { user_id: 'eve' });
  const layers = [layer({ users: ['ada', 'lin', null], rotation: daily })];
  const want = 'eve by override: 2026-03-03T12:00:00Z/2026-03-07T12:00:00Z';
  assert.equal(whole(schedule(layers, [eve]), '2026-03-05T00:00:00Z'), want);
  const onlyAda = { ...eve, replaces_user_id: 'ada' };
  assert.deepEqual(
    shiftsIn(schedule(layers, [onlyAda]), inMarch)
      .slice(1, 5)
      .map(textOf),
    [
      'lin by 0: 2026-03-02T23:00:00Z/2026-03-03T23:00:00Z',
      'eve by override: 2026-03-04T23:00:00Z/2026-03-05T23:00:00Z',
      'lin by 0: 2026-03-05T23:00:00Z/2026-03-06T23:00:00Z',
      'ada by 0: 2026-03-07T23:00:00Z/2026-03-08T23:00:00Z',
    ],
  );
});

test('an override for thousands of years is one shift, found at once', () => {
  const eve = override('2026-03-03T12:00:00Z', '+200000-01-01T00:00:00Z', { user_id: 'eve' });
  assert.equal(
    whole(
      schedule([layer({ users: ['ada', 'lin'], rotation: daily })], [eve]),
      '9999-01-01T00:00Z',
    ),
    'eve by override: 2026-03-03T12:00:00Z/+200000-01-01T00:00:00Z',
  );
});

test('a source names the turn of a layer, or the override and the person', () => {
  const eve = override('2026-03-03T12:00:00Z', '2026-03-03T13:00:00Z', { user_id: 'eve' });
  const layers = [layer({ id: 'a', users: ['ada'], rotation: daily })];
  const at = made.epochMilliseconds;
  const sources = shiftsIn(schedule(layers, [eve]), {
    ...inMarch,
    to: instant('2026-03-04T12:00:00Z'),
  });
  assert.deepEqual(
    sources.map(({ source }) => source),
    [`a/${at}/0`, `a/${at}/1`, 'override/override/eve', `a/${at}/1`, `a/${at}/2`],
  );
});

test('one layer alone is as if there were no other and no override', () => {
  const eve = override('2026-03-03T12:00:00Z', '2026-03-07T12:00:00Z', { user_id: 'eve' });
  const layers = [layer({ users: ['ada'] }), layer({ users: ['lin'], restriction: nights })];
  const input = schedule(layers, [eve]);
  const week = interval('2026-03-01T00:00:00Z', '2026-03-10T00:00:00Z');
  const alone = [0, 1, 2].map((index) => layerShiftsIn(input, week, index).map(textOf));
  assert.deepEqual(alone, [
    [
      'ada by 0: 2026-03-02T09:00:00Z/2026-03-08T23:00:00Z',
      'ada by 0: 2026-03-08T23:00:00Z/2026-03-10T00:00:00Z',
    ],
    [
      'lin by 1: 2026-03-06T17:00:00Z/2026-03-08T23:00:00Z',
      'lin by 1: 2026-03-08T23:00:00Z/2026-03-09T07:00:00Z',
    ],
    [],
  ]);
});

test('the next boundary is after the instant asked from, and found from a time without a shift', () => {
  const input = schedule([layer({ users: ['ada', null], rotation: daily })]);
  const next = (from: string, to = '2027-01-01T00:00:00Z') =>
    nextBoundary(input, interval(from, to))?.toString() ?? null;
  assert.equal(next('2020-01-01T00:00:00Z'), '2026-03-02T09:00:00Z');
  assert.equal(next('2026-03-02T09:00:00Z'), '2026-03-02T23:00:00Z');
  assert.equal(next('2026-03-02T23:00:00Z'), '2026-03-03T23:00:00Z');
  assert.equal(next('2026-03-02T09:00:00Z', '2026-03-02T23:00:00Z'), '2026-03-02T23:00:00Z');
  assert.equal(next('2026-03-02T09:00:00Z', '2026-03-02T22:59:59.999Z'), null);
});

test('Regression: a handoff at a time that is skipped or comes twice happens once', () => {
  const cases = [
    // Skipped: the end of the gap. Doubled: the first of the two.
    { zone: 'Europe/Berlin', handoff: '02:30', noon: '2026-03-28T12:00Z', at: '2026-03-29T01:00Z' },
    { zone: 'Europe/Berlin', handoff: '02:30', noon: '2026-10-24T12:00Z', at: '2026-10-25T00:30Z' },
    { zone: 'Europe/Paris', handoff: '02:30', noon: '2026-03-28T12:00Z', at: '2026-03-29T01:00Z' },
    {
      zone: 'America/New_York',
      handoff: '02:30',
      noon: '2026-03-07T17:00Z',
      at: '2026-03-08T07:00Z',
    },
    {
      zone: 'America/New_York',
      handoff: '01:30',
      noon: '2026-10-31T17:00Z',
      at: '2026-11-01T05:30Z',
    },
    {
      zone: 'America/Sao_Paulo',
      handoff: '00:00',
      noon: '2018-11-03T15:00Z',
      at: '2018-11-04T03:00Z',
    },
    {
      zone: 'Australia/Lord_Howe',
      handoff: '02:15',
      noon: '2026-10-03T02:00Z',
      at: '2026-10-03T15:30Z',
    },
    {
      zone: 'Australia/Lord_Howe',
      handoff: '01:45',
      noon: '2026-04-04T02:00Z',
      at: '2026-04-04T14:45Z',
    },
    { zone: 'Africa/Cairo', handoff: '00:30', noon: '2026-04-23T10:00Z', at: '2026-04-23T22:00Z' },
    {
      zone: 'Asia/Kathmandu',
      handoff: '00:05',
      noon: '1985-12-31T06:00Z',
      at: '1985-12-31T18:30Z',
    },
    { zone: 'Pacific/Apia', handoff: '09:00', noon: '2011-12-29T22:00Z', at: '2011-12-30T10:00Z' },
  ];
  for (const { zone, handoff, noon, at } of cases) {
    const rotation = { length: 1, unit: 'days', handoff } as const;
    const from = instant(noon).subtract({ hours: 12 });
    const users = ['ada', 'lin', 'eve', 'kim'];
    const layers = [layer({ users, rotation, generated_at: from }, zone)];
    const input = { revisions: [revision(layers, { from, timezone: zone })], overrides: [] };
    const span = { from: instant(noon), to: instant(noon).add({ hours: 23 }) };
    const edges = shiftsIn(input, span).map(({ end }) => `${end}`);
    assert.deepEqual(edges.slice(0, 1), [`${instant(at)}`], `${zone} ${handoff}`);
    assert.equal(shiftAt(input, instant(at))?.start.toString(), `${instant(at)}`, zone);
  }
});

test('without layers, or after the last one has ended, there is no boundary', () => {
  const far = { from: made, to: instant('2099-01-01T00:00:00Z') };
  assert.equal(nextBoundary(schedule([]), far), null);
  assert.equal(nextBoundary({ revisions: [], overrides: [] }, far), null);
  const over = layer({ users: ['ada'], ends_at: '2026-01-01T00:00:00Z' });
  assert.equal(nextBoundary(schedule([over]), far), null);
});

test('a turn of 1,000 weeks below 99 layers that never have anyone is found whole', () => {
  const windows = Array.from({ length: 100 }, (_, index) => {
    const time = (minute: number) => `${10 + Math.floor(minute / 60)}:${10 + (minute % 50)}`;
    const day = 'tuesday';
    return { from_day: day, from_time: time(index * 2), to_day: day, to_time: time(index * 2 + 1) };
  });
  const long = layer({ users: ['ada'], rotation: { length: 1_000, unit: 'weeks' } });
  // On mondays, when the windows are closed.
  const users = ['lin', null, null, null, null, null, null];
  const above = layer({ users, rotation: daily, restriction: { type: 'weekly', windows } });
  const input = schedule([long, ...Array.from({ length: 99 }, () => above)]);
  assert.equal(
    whole(input, '2045-05-07T21:59:59Z'),
    'ada by 0: 2026-03-08T23:00:00Z/2045-05-07T22:00:00Z',
  );
});

const atTen = { ...daily, handoff: '10:00' } as const;
const year = { from: made, to: made.add({ hours: 366 * 24 }) };
const days = layer({ users: ['ada', 'bob'], rotation: atTen });
const later = layer({ users: ['eve'], starts_at: '2026-06-01T00:00:00Z' });

test('the next shift is whole, and after the one that runs', () => {
  for (const from of [made, made.add({ hours: 23 })]) {
    const next = nextShift(schedule([days]), { ...year, from });
    assert.deepEqual(
      [next?.user_id, String(next?.start), String(next?.end)],
      ['bob', '2026-03-03T09:00:00Z', '2026-03-04T09:00:00Z'],
    );
  }
});

test('a time with nobody is passed over on the way to the next shift', () => {
  const ending = { ...days, ends_at: '2026-03-02T12:00:00Z' };
  const next = nextShift(schedule([ending, later]), year);
  assert.deepEqual([next?.user_id, String(next?.start)], ['eve', '2026-06-01T00:00:00Z']);
});

test('whoever comes back after an override has a next shift of their own', () => {
  const stand = override('2026-03-02T10:00:00Z', '2026-03-02T11:00:00Z', { user_id: 'eve' });
  const next = nextShift(schedule([days], [stand]), {
    ...year,
    from: instant('2026-03-02T10:30:00Z'),
  });
  assert.deepEqual([next?.user_id, String(next?.start)], ['ada', '2026-03-02T11:00:00Z']);
});

test('beyond the interval no shift is looked for', () => {
  const to = instant('2026-05-31T23:59:59Z');
  assert.equal(nextShift(schedule([later]), { from: made, to }), null);
  const end = instant('2026-06-01T00:00:00Z');
  assert.equal(nextShift(schedule([later]), { from: made, to: end })?.user_id, 'eve');
});
