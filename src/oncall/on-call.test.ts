import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anchorOfLayer, type Layer, onCallAt } from './on-call.ts';
import { anchorOf } from './rotation.ts';

const berlin = 'Europe/Berlin';
const createdAt = Temporal.Instant.from('2026-03-02T09:00:00Z'); // A monday.

function layer(parts: Partial<Layer> & Pick<Layer, 'users'>, created = createdAt): Layer {
  const rotation = parts.rotation ?? { length: 1, unit: 'weeks' };
  return { ...parts, rotation, anchor: anchorOf(rotation, berlin, created) };
}

function onCall(layers: readonly Layer[], at: string): string {
  const schedule = { timezone: berlin, layers, created_at: createdAt };
  const found = onCallAt(schedule, Temporal.Instant.from(at));
  return found === null ? 'nobody' : `${found.user_id} by ${found.layer}`;
}

const nights = {
  type: 'weekly',
  windows: [{ from_day: 'friday', from_time: '18:00', to_day: 'monday', to_time: '08:00' }],
} as const;

test('turns change at the handoff and come round', () => {
  const layers = [layer({ users: ['ada', 'lin'] })];
  const cases = [
    ['2026-03-02T08:59:59Z', 'nobody'],
    ['2026-03-02T09:00:00Z', 'ada by 0'],
    ['2026-03-08T22:59:59Z', 'ada by 0'],
    ['2026-03-08T23:00:00Z', 'lin by 0'],
    ['2026-03-15T23:00:00Z', 'ada by 0'],
    // Summer time began on the 29th: midnight is an hour earlier.
    ['2026-03-29T21:59:59Z', 'lin by 0'],
    ['2026-03-29T22:00:00Z', 'ada by 0'],
  ] as const;
  for (const [at, want] of cases) assert.equal(onCall(layers, at), want, at);
});

test('a later layer overrides an earlier one only where it has someone', () => {
  const layers = [
    layer({ users: ['ada'] }),
    layer({ users: ['lin', null], restriction: nights }),
    layer({ users: ['eve'], starts_at: '2026-03-07T12:00:00Z', ends_at: '2026-03-07T13:00:00Z' }),
  ];
  const cases = [
    ['2026-03-06T16:59:59Z', 'ada by 0'],
    ['2026-03-06T17:00:00Z', 'lin by 1'],
    ['2026-03-07T12:00:00Z', 'eve by 2'],
    ['2026-03-07T13:00:00Z', 'lin by 1'],
    ['2026-03-08T23:00:00Z', 'ada by 0'],
    ['2026-03-13T20:00:00Z', 'ada by 0'],
  ] as const;
  for (const [at, want] of cases) assert.equal(onCall(layers, at), want, at);
});

test('nobody is on call where no layer has anyone', () => {
  assert.equal(onCall([], '2026-03-06T17:00:00Z'), 'nobody');
  assert.equal(onCall([layer({ users: [] })], '2026-03-06T17:00:00Z'), 'nobody');
  assert.equal(onCall([layer({ users: [null] })], '2026-03-06T17:00:00Z'), 'nobody');
  const closed = layer({ users: ['ada'], restriction: nights });
  assert.equal(onCall([closed], '2026-03-05T12:00:00Z'), 'nobody');
});

test('a person may stand in the order more than once', () => {
  const layers = [layer({ users: ['ada', 'lin', 'ada'], rotation: { length: 1, unit: 'days' } })];
  const days = ['02', '03', '04', '05'].map((day) => onCall(layers, `2026-03-${day}T12:00:00Z`));
  assert.deepEqual(days, ['ada by 0', 'lin by 0', 'ada by 0', 'ada by 0']);
});

test("a new layer's anchor names one of its users", () => {
  const rotation = { length: 1, unit: 'weeks' } as const;
  const turns = [['ada'], ['ada', 'lin']].map((users) => {
    return anchorOfLayer({ users, rotation }, berlin, createdAt).turn;
  });
  assert.deepEqual(turns, [0, 1]);
});
