import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leftOf } from './left-alone.ts';

const day = (number: number) => `2026-12-0${number}T00:00:00.000Z`;
const lin = { id: 'lin', name: 'Lin Yutang' };

test('moved shifts come first, then the gaps that are none of them', () => {
  const schedule = {
    oncall_schedule_id: 'payments',
    name: 'Payments',
    moved_shifts: [
      { from: day(1), to: day(2), after: [lin] },
      { from: day(3), to: day(4), after: [] },
    ],
    moved_shifts_count: 2,
    gaps: [
      { from: day(3), to: day(4) },
      { from: day(6), to: null },
    ],
    gaps_count: 5,
  };
  assert.deepEqual(leftOf(schedule), {
    stretches: [
      { from: day(1), to: day(2), instead: 'Lin Yutang' },
      { from: day(3), to: day(4), instead: null },
      { from: day(6), to: null, instead: null },
    ],
    more: 3,
  });
  const endless = { ...schedule, moved_shifts: [{ from: day(2), to: null, after: [] }] };
  assert.deepEqual(leftOf({ ...endless, moved_shifts_count: 1, gaps_count: 2 }), {
    stretches: [{ from: day(2), to: null, instead: null }],
    more: 0,
  });
});
