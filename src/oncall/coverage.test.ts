import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instant, layer, override, revision, schedule } from '../../test/schedules.ts';
import { coverageOf, type Gap } from './coverage.ts';
import type { Schedule } from './schedule.ts';

const daily = { length: 1, unit: 'days' } as const;
const office = {
  type: 'weekly',
  windows: [{ from_day: 'monday', from_time: '09:00', to_day: 'friday', to_time: '17:00' }],
} as const;

const rendered = ({ start, end, layer, reason }: Gap) =>
  `${start}/${end} by ${layer}: ${Object.values(reason).join(' ')}`;

/** The gaps of the week from the 9th to the 16th of March. */
function gapsIn(
  input: Schedule,
  missing: Readonly<Record<string, string>> = {},
): readonly string[] {
  const week = { from: instant('2026-03-09T00:00:00Z'), to: instant('2026-03-16T00:00:00Z') };
  return coverageOf(input, week, (user) => missing[user] ?? null).gaps.map(rendered);
}

test('a layer with somebody in every turn has no gap', () => {
  assert.deepEqual(gapsIn(schedule([layer({ users: ['ada', 'lin'], rotation: daily })])), []);
});

test('a gap outside the windows names the layer that had somebody before', () => {
  const layers = [layer({ users: ['ada'], restriction: office }), layer({ users: [null] })];
  assert.deepEqual(gapsIn(schedule(layers)), [
    '2026-03-09T00:00:00Z/2026-03-09T08:00:00Z by 0: outside_windows',
    '2026-03-13T16:00:00Z/2026-03-16T00:00:00Z by 0: outside_windows',
  ]);
});

test('a turn with nobody is a gap of its layer', () => {
  const layers = [layer({ users: ['ada', null, null], rotation: { length: 2, unit: 'days' } })];
  assert.deepEqual(gapsIn(schedule(layers)), [
    '2026-03-09T00:00:00Z/2026-03-12T23:00:00Z by 0: turn_with_nobody',
    '2026-03-14T23:00:00Z/2026-03-16T00:00:00Z by 0: turn_with_nobody',
  ]);
});

test('of several layers that end together the highest is named', () => {
  const until = { users: ['ada'], ends_at: '2026-03-12T12:00:00Z' };
  const layers = [layer(until), layer({ ...until, users: ['lin'] }), layer({ users: [null] })];
  assert.deepEqual(gapsIn(schedule(layers)), [
    '2026-03-12T12:00:00Z/2026-03-16T00:00:00Z by 1: ended',
  ]);
});

test('a gap that begins with the interval names the layer that ends it, or else the lowest', () => {
  const late = layer({ users: ['lin'], starts_at: '2026-03-12T12:00:00Z' });
  assert.deepEqual(gapsIn(schedule([layer({ users: [null] }), late])), [
    '2026-03-09T00:00:00Z/2026-03-12T12:00:00Z by 1: not_started',
  ]);
  const never = layer({ users: ['lin'], starts_at: '2027-01-01T00:00:00Z' });
  assert.deepEqual(gapsIn(schedule([layer({ users: [null] }), never])), [
    '2026-03-09T00:00:00Z/2026-03-16T00:00:00Z by 0: turn_with_nobody',
  ]);
});

test('somebody missing is a gap, though a lower layer has somebody who is not', () => {
  const above = layer({ users: ['lin', 'eve'], rotation: daily, restriction: office });
  const input = schedule([layer({ users: ['ada'] }), above]);
  assert.deepEqual(gapsIn(input, { lin: 'is not active' }), [
    '2026-03-09T23:00:00Z/2026-03-10T23:00:00Z by 1: missing lin is not active',
    '2026-03-11T23:00:00Z/2026-03-12T23:00:00Z by 1: missing lin is not active',
  ]);
});

test('gaps that meet are one, told by its beginning', () => {
  const input = schedule([layer({ users: ['ada', 'lin', null], rotation: daily })]);
  assert.deepEqual(gapsIn(input, { lin: 'is not active' }), [
    '2026-03-09T00:00:00Z/2026-03-10T23:00:00Z by 0: missing lin is not active',
    '2026-03-11T23:00:00Z/2026-03-13T23:00:00Z by 0: missing lin is not active',
    '2026-03-14T23:00:00Z/2026-03-16T00:00:00Z by 0: missing lin is not active',
  ]);
});

test('an override fills a gap, and one with somebody missing makes one', () => {
  const layers = [layer({ users: ['ada'], restriction: office })];
  const fills = override('2026-03-13T16:00:00Z', '2026-03-14T12:00:00Z', { user_id: 'eve' });
  const makes = override('2026-03-10T12:00:00Z', '2026-03-10T13:00:00Z', { user_id: 'kim' });
  assert.deepEqual(gapsIn(schedule(layers, [fills, makes]), { kim: 'does not exist' }), [
    '2026-03-09T00:00:00Z/2026-03-09T08:00:00Z by 0: outside_windows',
    '2026-03-10T12:00:00Z/2026-03-10T13:00:00Z by override: missing kim does not exist',
    '2026-03-14T12:00:00Z/2026-03-16T00:00:00Z by override: ended',
  ]);
});

test('somebody missing whom an override replaces is no gap', () => {
  const instead = override('2026-03-09T00:00:00Z', '2026-03-16T00:00:00Z', {
    user_id: 'eve',
    replaces_user_id: 'ada',
  });
  const input = schedule([layer({ users: ['ada', 'lin'], rotation: daily })], [instead]);
  assert.deepEqual(gapsIn(input, { ada: 'is not active' }), []);
});

test('hours by design are no gaps, and what is left of a gap has its own cause', () => {
  const byDesign = (from: string, to: string) => {
    const [[from_day = '', from_time = ''], [to_day = '', to_time = '']] = [
      from.split(' '),
      to.split(' '),
    ];
    return { from_day, from_time, to_day, to_time };
  };
  const layers = [layer({ users: ['ada'], restriction: office })];
  const weekend = [byDesign('friday 17:00', 'sunday 12:00')];
  const declared = (windows = weekend, input = schedule(layers)) => ({
    ...input,
    uncovered_by_design: windows,
  });
  assert.deepEqual(gapsIn(declared()), [
    '2026-03-09T00:00:00Z/2026-03-09T08:00:00Z by 0: outside_windows',
    '2026-03-15T11:00:00Z/2026-03-16T00:00:00Z by 0: outside_windows',
  ]);
  // Who is inactive on the monday is not outside any hours.
  const monday = [byDesign('friday 17:00', 'monday 09:00')];
  assert.deepEqual(gapsIn(declared(monday), { ada: 'is not active' }), [
    '2026-03-09T08:00:00Z/2026-03-13T16:00:00Z by 0: missing ada is not active',
  ]);
  const always = [byDesign('monday 00:00', 'monday 00:00')];
  assert.deepEqual(gapsIn(declared(always)), []);
  const archived = { ...schedule([]), revisions: [revision(layers, { archived: true })] };
  assert.deepEqual(gapsIn(declared(always, archived)), [
    '2026-03-09T00:00:00Z/2026-03-16T00:00:00Z by null: not_in_force',
  ]);
});

test('before the first revision, and while it is archived, a schedule is not in force', () => {
  const layers = [layer({ users: ['ada'] })];
  const revisions = [
    revision(layers, { from: instant('2026-03-10T00:00:00Z') }),
    revision(layers, { from: instant('2026-03-11T00:00:00Z'), archived: true }),
    revision(layers, { from: instant('2026-03-12T00:00:00Z') }),
  ];
  assert.deepEqual(gapsIn({ revisions, overrides: [] }), [
    '2026-03-09T00:00:00Z/2026-03-10T00:00:00Z by null: not_in_force',
    '2026-03-11T00:00:00Z/2026-03-12T00:00:00Z by null: not_in_force',
  ]);
});

test('a gap that a save makes is of the layers from then on', () => {
  const closed = layer({ users: ['lin'], starts_at: '2026-03-14T12:00:00Z' });
  const revisions = [
    revision([layer({ users: ['ada'] })]),
    revision([layer({ users: [null] }), closed], { from: instant('2026-03-12T12:00:00Z') }),
  ];
  assert.deepEqual(gapsIn({ revisions, overrides: [] }), [
    '2026-03-12T12:00:00Z/2026-03-14T12:00:00Z by 1: not_started',
  ]);
});

test('an hour that the clock skips is no gap between windows on both sides of it', () => {
  const side = (from_time: string, to_time: string) => ({
    from_day: 'sunday',
    from_time,
    to_day: 'sunday',
    to_time,
  });
  const windows = [side('00:00', '02:00'), side('03:00', '12:00')];
  const input = schedule([layer({ users: ['ada'], restriction: { type: 'weekly', windows } })]);
  const on = (day: string) => {
    const night = { from: instant(`${day}T00:00:00Z`), to: instant(`${day}T08:00:00Z`) };
    return coverageOf(input, night, () => null).gaps.length;
  };
  assert.deepEqual(['2026-03-22', '2026-03-29', '2026-10-25'].map(on), [1, 0, 1]);
});

/** Who never has a shift in the years from March 2026 on, and until when they had one. */
const idleIn = (input: Schedule, years = 10): readonly string[] => {
  const from = instant('2026-03-09T00:00:00Z');
  const to = from.toZonedDateTimeISO('UTC').add({ years }).toInstant();
  const { idle } = coverageOf(input, { from, to }, () => null);
  return idle.map(({ user_id, until }) => (until === null ? user_id : `${user_id} after ${until}`));
};

const weekdays = {
  type: 'weekly',
  windows: (['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const).map((day) => ({
    from_day: day,
    from_time: '09:00',
    to_day: day,
    to_time: '18:00',
  })),
} as const;
const seven = ['ada', 'bob', 'eve', 'joe', 'kim', 'lin', 'zoe'];
const nine = { ...daily, handoff: '09:00' } as const;

test('of seven people with daily turns and windows on five days, two never have a shift', () => {
  const one = (users: readonly string[], restriction = weekdays) =>
    schedule([layer({ users, rotation: nine, restriction })]);
  assert.equal(idleIn(one(seven)).length, 2);
  assert.deepEqual(idleIn(one(seven.slice(0, 6))), []);
  assert.deepEqual(idleIn(one([...seven, 'max'])), []);
  // Each has two turns in a row of the same people.
  assert.equal(idleIn(one([...seven, ...seven])).length, 2);
  assert.deepEqual(idleIn(one(['ada', ...seven])), []);
});

test('turns of weeks fall on every weekday, so everybody has shifts', () => {
  const rotation = { length: 1, unit: 'weeks' } as const;
  assert.deepEqual(
    idleIn(schedule([layer({ users: seven, rotation, restriction: weekdays })])),
    [],
  );
});

test('whoever a higher layer always replaces never has a shift, unless another layer has them', () => {
  const [below, above] = [
    layer({ users: ['ada', 'lin'], rotation: daily }),
    layer({ users: ['eve'] }),
  ];
  assert.deepEqual(idleIn(schedule([below, above])), ['ada', 'lin']);
  const again = layer({ users: ['lin', 'eve'], rotation: daily });
  assert.deepEqual(idleIn(schedule([below, again])), ['ada']);
});

test('nobody is idle of whom the interval proves nothing: turns to come, layers to come or ended', () => {
  const rotation = { length: 4, unit: 'weeks' } as const;
  const many = Array.from({ length: 40 }, (_, index) => `p${index}`);
  assert.deepEqual(idleIn(schedule([layer({ users: many, rotation })]), 1), []);
  const always = layer({ users: ['eve'] });
  const later = layer({ users: ['ada'], starts_at: '2039-01-01T00:00:00Z' });
  const over = layer({ users: ['lin'], ends_at: '2026-03-01T00:00:00Z' });
  assert.deepEqual(idleIn(schedule([always, later, over])), []);
});

test('the turn that runs may be the only one that falls into a window', () => {
  const monday = { type: 'weekly', windows: weekdays.windows.slice(0, 1) } as const;
  const users = ['ada', 'bob', 'eve', 'joe', 'kim', 'lin', 'zoe'];
  const two = { length: 2, unit: 'weeks' } as const;
  const running = layer({ users: ['ada', 'lin'], rotation: two, restriction: monday });
  assert.deepEqual(idleIn(schedule([running])), []);
  const week = schedule([layer({ users, rotation: nine, restriction: monday })]);
  assert.equal(idleIn(week).length, 6);
});
