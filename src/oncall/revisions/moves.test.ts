import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instant, layer, made, override, schedule } from '../../../test/schedules.ts';
import type { Schedule } from '../schedule.ts';
import { changesIn, movesIn, withinAndBeyond } from './moves.ts';

const daily = { length: 1, unit: 'days' } as const;
const week = { from: instant('2026-03-09T00:00:00Z'), to: instant('2026-03-16T00:00:00Z') };

function moved(before: Schedule, after: Schedule): Readonly<Record<string, readonly string[]>> {
  const moves = [...movesIn(before, after, week)].map(([user, list]) => [
    user,
    list.map(({ type, start, end }) => `${type} ${start}/${end ?? ''}`),
  ]);
  return Object.fromEntries(moves);
}

test('an override takes time from one person and gives it to another', () => {
  const layers = [layer({ users: ['ada', 'lin'], rotation: daily })];
  const eve = override('2026-03-10T12:00:00Z', '2026-03-11T12:00:00Z', { user_id: 'eve' });
  assert.deepEqual(moved(schedule(layers), schedule(layers, [eve])), {
    ada: ['lost 2026-03-10T12:00:00Z/2026-03-10T23:00:00Z'],
    lin: ['lost 2026-03-10T23:00:00Z/2026-03-11T12:00:00Z'],
    eve: ['gained 2026-03-10T12:00:00Z/2026-03-11T12:00:00Z'],
  });
});

test('a regeneration, or another layer with the same person, moves nobody', () => {
  const before = layer({ users: ['ada', 'lin'] });
  const again = { ...before, generated_at: made.add({ hours: 1 }) };
  assert.deepEqual(moved(schedule([before]), schedule([again])), {});
  assert.deepEqual(moved(schedule([before]), schedule([before, { ...before, id: 'copy' }])), {});
});

test('time that moves within the interval is lost once and gained once, in its order', () => {
  const day = (day: string) => ({
    type: 'weekly' as const,
    windows: [{ from_day: day, from_time: '09:00', to_day: day, to_time: '17:00' }],
  });
  const of = (name: string) => schedule([layer({ users: ['ada'], restriction: day(name) })]);
  assert.deepEqual(moved(of('wednesday'), of('tuesday')), {
    ada: [
      'gained 2026-03-10T08:00:00Z/2026-03-10T16:00:00Z',
      'lost 2026-03-11T08:00:00Z/2026-03-11T16:00:00Z',
    ],
  });
});

test('moves that meet are one, over turns and layers, and what goes on has no end', () => {
  const layers = [layer({ users: ['ada'], rotation: daily })];
  const eve = override('2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z', { user_id: 'eve' });
  assert.deepEqual(moved(schedule(layers), schedule(layers, [eve])), {
    ada: ['lost 2026-03-09T00:00:00Z/'],
    eve: ['gained 2026-03-09T00:00:00Z/'],
  });
});

test('what goes on beyond the interval is followed to its end, if there is one', () => {
  const ends = (before: Schedule, after: Schedule) => {
    const compared = withinAndBeyond(week);
    const moves = [...movesIn(before, after, compared)].map(([user, list]) => [
      user,
      String(list.at(-1)?.end ?? null),
    ]);
    const end = changesIn(before, after, compared).at(-1)?.end;
    return { ...Object.fromEntries(moves), change: String(end ?? null) };
  };
  const layers = [layer({ users: ['ada', 'lin'], rotation: daily })];
  const eve = override('2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z', { user_id: 'eve' });
  const edge = '2026-03-16T23:00:00Z';
  assert.deepEqual(ends(schedule(layers), schedule(layers, [eve])), {
    ada: edge,
    lin: '2026-03-15T23:00:00Z',
    eve: '2026-04-01T00:00:00Z',
    change: edge,
  });
  const always = schedule([layer({ users: ['eve'], rotation: daily })]);
  assert.deepEqual(ends(schedule([layer({ users: ['ada'] })]), always), {
    ada: 'null',
    eve: 'null',
    change: 'null',
  });
});

test('a move through many windows of another layer is followed to its end', () => {
  const hourly = {
    type: 'weekly' as const,
    windows: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].flatMap(
      (day) =>
        Array.from({ length: 12 }, (_, index) => ({
          from_day: day,
          from_time: `${String(2 * index).padStart(2, '0')}:00`,
          to_day: day,
          to_time: `${String(2 * index + 1).padStart(2, '0')}:00`,
        })),
    ),
  };
  const layers = [
    layer({ users: ['ada'] }),
    { ...layer({ users: ['ada'], restriction: hourly }), id: 'hours' },
  ];
  const end = '2026-09-01T00:00:00Z';
  const eve = override('2026-03-01T00:00:00Z', end, { user_id: 'eve' });
  const away = { user_id: 'eve', start: instant('2026-03-01T00:00:00Z'), end: null };
  const before = { ...schedule(layers, [eve]), inactive: [away] };
  const moves = movesIn(before, schedule(layers, [eve]), withinAndBeyond(week));
  assert.equal(String(moves.get('ada')?.at(-1)?.end), end);
});
