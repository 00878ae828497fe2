import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withMoves } from './moves.ts';

const day = (number: number) => `2026-03-0${number}T00:00:00.000Z`;
const shift = (user_id: string, start: number, end: number) => ({
  user_id,
  start: day(start),
  end: day(end),
});
const move = (from: number, to: number | null, after?: string) => ({
  from: day(from),
  to: to === null ? null : day(to),
  before: [],
  after: after === undefined ? [] : [{ id: after, name: after }],
});
const brief = (shifts: readonly { user_id: string; start: string; end: string }[]) =>
  shifts.map(({ user_id, start, end }) => `${user_id} ${start.slice(9, 10)}-${end.slice(9, 10)}`);
const effects = (count: number, ...moved_shifts: ReturnType<typeof move>[]) => ({
  warnings: [],
  moved_shifts,
  moved_shifts_count: count,
});

test('moved shifts are cut out of what was, and given to who has them then', () => {
  const before = [shift('ada', 1, 4), shift('lin', 4, 9)];
  assert.deepEqual(brief(withMoves(before, effects(1, move(2, 5, 'eve')))), [
    'ada 1-2',
    'eve 2-5',
    'lin 5-9',
  ]);
  assert.deepEqual(brief(withMoves(before, effects(1, move(5, null)))), ['ada 1-4', 'lin 4-5']);
  assert.deepEqual(brief(withMoves(before, effects(0))), ['ada 1-4', 'lin 4-9']);
});

test('shifts and moves beyond the edges of the view keep their whole', () => {
  const before = [
    { ...shift('ada', 3, 4), shift_start: day(1), shift_end: day(4) },
    { ...shift('lin', 4, 5), shift_start: day(4), shift_end: day(9) },
  ];
  assert.deepEqual(withMoves(before, effects(0)), before);
  assert.deepEqual(withMoves(before, effects(1, move(4, 7, 'eve'))), [
    before[0],
    { ...shift('eve', 4, 5), shift_start: day(4), shift_end: day(7) },
  ]);
  assert.deepEqual(withMoves(before, effects(1, move(2, null, 'eve'))), [
    { ...shift('eve', 3, 5), shift_start: day(2), shift_end: null },
  ]);
});

test('what is behind the last move that is listed is not shown', () => {
  const before = [shift('ada', 1, 4), shift('lin', 4, 9)];
  assert.deepEqual(brief(withMoves(before, effects(7, move(2, 5, 'eve')))), ['ada 1-2', 'eve 2-5']);
});
