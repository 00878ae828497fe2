import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instant, layer, made, override, schedule } from '../../test/schedules.ts';
import { nextShift } from './next-shift.ts';

const daily = { length: 1, unit: 'days', handoff: '10:00' } as const;
const year = { from: made, to: made.add({ hours: 366 * 24 }) };
const days = layer({ users: ['ada', 'bob'], rotation: daily });
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
