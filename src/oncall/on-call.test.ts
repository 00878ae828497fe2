import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instant, layer, made, override, revision, schedule } from '../../test/schedules.ts';
import { isOnCallIn, onCallAt } from './on-call.ts';
import type { Schedule } from './schedule.ts';

function onCall(input: Schedule, at: string): string {
  const holder = onCallAt(input, instant(at));
  return holder === null ? 'nobody' : `${holder.user_id} by ${holder.layer}`;
}

type Cases = readonly (readonly [at: string, want: string])[];

function claims(input: Schedule, cases: Cases): void {
  for (const [at, want] of cases) assert.equal(onCall(input, at), want, at);
}

const daily = { length: 1, unit: 'days' } as const;
const weekend = {
  type: 'weekly',
  windows: [{ from_day: 'friday', from_time: '18:00', to_day: 'monday', to_time: '08:00' }],
} as const;

test('turns change at the handoff and come round', () => {
  claims(schedule([layer({ users: ['ada', 'lin'] })]), [
    ['2026-03-02T08:59:59.999Z', 'nobody'],
    ['2026-03-02T09:00:00Z', 'ada by 0'],
    ['2026-03-08T22:59:59.999Z', 'ada by 0'],
    ['2026-03-08T23:00:00Z', 'lin by 0'],
    ['2026-03-15T23:00:00Z', 'ada by 0'],
    // Summer time began on the 29th: midnight is an hour earlier.
    ['2026-03-29T21:59:59.999Z', 'lin by 0'],
    ['2026-03-29T22:00:00Z', 'ada by 0'],
  ]);
});

test('2.6.1 a later layer overrides an earlier one, only where it has someone', () => {
  const layers = [
    layer({ users: ['ada'] }),
    layer({ users: ['lin', null], restriction: weekend }),
    layer({ users: ['eve'], starts_at: '2026-03-07T12:00:00Z', ends_at: '2026-03-07T13:00:00Z' }),
  ];
  claims(schedule(layers), [
    ['2026-03-06T16:59:59.999Z', 'ada by 0'],
    ['2026-03-06T17:00:00Z', 'lin by 1'],
    ['2026-03-07T11:59:59.999Z', 'lin by 1'],
    ['2026-03-07T12:00:00Z', 'eve by 2'],
    ['2026-03-07T13:00:00Z', 'lin by 1'],
    ['2026-03-08T23:00:00Z', 'ada by 0'],
    ['2026-03-13T20:00:00Z', 'ada by 0'],
  ]);
});

test('2.6.3 a turn with nobody, and a layer outside its dates, have nobody', () => {
  const layers = [
    layer({ users: ['ada', null], rotation: daily, ends_at: '2026-03-05T12:00:00Z' }),
  ];
  claims(schedule(layers), [
    ['2026-03-02T12:00:00Z', 'ada by 0'],
    ['2026-03-03T12:00:00Z', 'nobody'],
    ['2026-03-04T12:00:00Z', 'ada by 0'],
    ['2026-03-06T12:00:00Z', 'nobody'],
  ]);
});

test('nobody is on call where no layer has anyone', () => {
  for (const layers of [[], [layer({ users: [] })], [layer({ users: [null] })]])
    assert.equal(onCall(schedule(layers), '2026-03-06T17:00:00Z'), 'nobody');
  const closed = layer({ users: ['ada'], restriction: weekend });
  assert.equal(onCall(schedule([closed]), '2026-03-05T12:00:00Z'), 'nobody');
  const never = layer({ users: ['ada'], restriction: { type: 'weekly', windows: [] } });
  assert.equal(onCall(schedule([never]), '2026-03-05T12:00:00Z'), 'nobody');
});

test('a person may stand in the order more than once', () => {
  const input = schedule([layer({ users: ['ada', 'lin', 'ada'], rotation: daily })]);
  const days = ['02', '03', '04', '05'].map((day) => onCall(input, `2026-03-${day}T12:00:00Z`));
  assert.deepEqual(days, ['ada by 0', 'lin by 0', 'ada by 0', 'ada by 0']);
});

test('overlapping and touching windows are their union, across the end of the week too', () => {
  const day = (from_day: string, from_time: string, to_day: string, to_time: string) => ({
    from_day,
    from_time,
    to_day,
    to_time,
  });
  const nights = {
    type: 'weekly',
    windows: [
      day('sunday', '20:00', 'monday', '06:00'),
      day('monday', '06:00', 'monday', '07:00'),
      day('sunday', '22:00', 'monday', '02:00'),
      day('thursday', '09:00', 'thursday', '10:00'),
    ],
  } as const;
  claims(schedule([layer({ users: ['ada'], restriction: nights })]), [
    ['2026-03-05T07:59:59.999Z', 'nobody'],
    ['2026-03-05T08:00:00Z', 'ada by 0'],
    ['2026-03-05T09:00:00Z', 'nobody'],
    ['2026-03-08T18:59:59.999Z', 'nobody'],
    ['2026-03-08T19:00:00Z', 'ada by 0'],
    ['2026-03-08T22:00:00Z', 'ada by 0'],
    ['2026-03-09T03:00:00Z', 'ada by 0'],
    ['2026-03-09T05:59:59.999Z', 'ada by 0'],
    ['2026-03-09T06:00:00Z', 'nobody'],
  ]);
});

test('a window that ends where it begins, or a row that closes the circle, is the whole week', () => {
  const whole = [{ from_day: 'friday', from_time: '18:00', to_day: 'friday', to_time: '18:00' }];
  const row = ['monday', 'wednesday', 'friday'].map((from_day, index, days) => ({
    from_day,
    from_time: '12:00',
    to_day: days[(index + 1) % 3] ?? '',
    to_time: '12:00',
  }));
  for (const windows of [whole, row]) {
    const input = schedule([layer({ users: ['ada'], restriction: { type: 'weekly', windows } })]);
    for (let hours = 0; hours < 200; hours += 1)
      assert.deepEqual(onCallAt(input, made.add({ hours })), { user_id: 'ada', layer: 0 });
  }
});

test('a window keeps both edges on the wall clock, in the nights when it changes', () => {
  const windows = [
    { from_day: 'sunday', from_time: '02:30', to_day: 'sunday', to_time: '03:30' },
  ] as const;
  const input = schedule([layer({ users: ['ada'], restriction: { type: 'weekly', windows } })]);
  claims(input, [
    // The 29th of March has no 02:30: it opens when the clock goes on from 03:00.
    ['2026-03-29T00:59:59.999Z', 'nobody'],
    ['2026-03-29T01:00:00Z', 'ada by 0'],
    ['2026-03-29T01:30:00Z', 'nobody'],
    // The 25th of October has two: the first counts, and the window is two hours long.
    ['2026-10-25T00:29:59.999Z', 'nobody'],
    ['2026-10-25T00:30:00Z', 'ada by 0'],
    ['2026-10-25T02:29:59.999Z', 'ada by 0'],
    ['2026-10-25T02:30:00Z', 'nobody'],
  ]);
});

test('the revision in force is the last that began, the later of two from one instant', () => {
  const of = (user: string, from: string) =>
    revision([layer({ users: [user] })], { from: instant(from) });
  const revisions = [
    of('ada', '2026-03-02T09:00:00Z'),
    of('lin', '2026-03-03T09:00:00Z'),
    of('eve', '2026-03-03T09:00:00Z'),
  ];
  claims({ revisions, overrides: [] }, [
    ['2026-03-03T08:59:59.999Z', 'ada by 0'],
    ['2026-03-03T09:00:00Z', 'eve by 0'],
  ]);
});

test('an archived schedule has nobody, whatever its overrides say, until it is restored', () => {
  const layers = [layer({ users: ['ada'] })];
  const revisions = [
    revision(layers),
    revision(layers, { from: instant('2026-03-03T09:00:00Z'), archived: true }),
    revision(layers, { from: instant('2026-03-04T09:00:00Z') }),
  ];
  const overrides = [override('2026-03-01T00:00:00Z', '2026-03-05T00:00:00Z', { user_id: 'eve' })];
  claims({ revisions, overrides }, [
    ['2026-03-02T08:00:00Z', 'nobody'],
    ['2026-03-02T09:00:00Z', 'eve by override'],
    ['2026-03-03T09:00:00Z', 'nobody'],
    ['2026-03-04T09:00:00Z', 'eve by override'],
    ['2026-03-05T00:00:00Z', 'ada by 0'],
  ]);
});

test('an override takes over from its start to its end, also where nobody was', () => {
  const overrides = [override('2026-03-04T10:00:00Z', '2026-03-04T12:00:00Z', { user_id: 'eve' })];
  const input = schedule([layer({ users: ['ada', null], rotation: daily })], overrides);
  claims(input, [
    ['2026-03-04T09:59:59.999Z', 'ada by 0'],
    ['2026-03-04T10:00:00Z', 'eve by override'],
    ['2026-03-04T12:00:00Z', 'ada by 0'],
  ]);
  assert.equal(onCall(schedule([], overrides), '2026-03-04T11:00:00Z'), 'eve by override');
});

test('an override of one person leaves everybody else on call', () => {
  const span = ['2026-03-01T00:00:00Z', '2026-03-09T00:00:00Z'] as const;
  const overrides = [override(...span, { user_id: 'eve', replaces_user_id: 'lin' })];
  claims(schedule([layer({ users: ['ada', 'lin'], rotation: daily })], overrides), [
    ['2026-03-02T12:00:00Z', 'ada by 0'],
    ['2026-03-03T12:00:00Z', 'eve by override'],
    ['2026-03-04T12:00:00Z', 'ada by 0'],
  ]);
});

test('the newest override wins, and can replace whoever an older one put on call', () => {
  const span = ['2026-03-02T10:00:00Z', '2026-03-02T20:00:00Z'] as const;
  const everyone = override(...span, { id: 'everyone', user_id: 'eve' });
  const insteadOfEve = override(...span, { id: 'one', user_id: 'kim', replaces_user_id: 'eve' });
  const layers = [layer({ users: ['ada'] })];
  const noon = '2026-03-02T12:00:00Z';
  assert.equal(onCall(schedule(layers, [everyone, insteadOfEve]), noon), 'kim by override');
  assert.equal(onCall(schedule(layers, [insteadOfEve, everyone]), noon), 'eve by override');
  assert.equal(onCall(schedule(layers, [insteadOfEve]), noon), 'ada by 0');
});

test('a person is on call in a time if any of it is theirs', () => {
  const rota = schedule(
    [layer({ users: ['ada', 'lin'] })],
    [
      override('2026-03-04T12:00Z', '2026-03-05T12:00Z', {
        user_id: 'bob',
        replaces_user_id: 'ada',
      }),
    ],
  );
  const cases = [
    ['ada', '2026-03-04T00:00Z', '2026-03-04T12:00:01Z', true],
    ['ada', '2026-03-04T12:00Z', '2026-03-05T12:00Z', false],
    ['bob', '2026-03-04T00:00Z', '2026-03-04T12:00Z', false],
    ['bob', '2026-03-04T00:00Z', '2026-03-04T12:00:01Z', true],
    ['lin', '2026-03-04T00:00Z', '2026-03-09T00:00Z', true],
    ['eve', '2026-03-04T00:00Z', '2030-03-04T00:00Z', false],
  ] as const;
  for (const [user, from, to, want] of cases) {
    const interval = { from: instant(from), to: instant(to) };
    assert.equal(isOnCallIn(rota, user, interval), want, `${user} ${from}`);
  }
  const long = { from: instant('2026-03-04T12:00Z'), to: instant('2026-03-09T00:00Z') };
  assert.equal(isOnCallIn(rota, 'lin', long, 2), false, 'as far as it is followed');
});
