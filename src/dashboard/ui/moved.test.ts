import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeAfterDrag, withMoved } from './moved.ts';

test('an entry moves by any number of places, and nowhere if there is no room', () => {
  const moved = (index: number, steps: number) => withMoved(['a', 'b', null, 'd'], index, steps);
  assert.deepEqual(moved(0, 2), ['b', null, 'a', 'd']);
  assert.deepEqual(moved(3, -3), ['d', 'a', 'b', null]);
  assert.deepEqual(moved(2, -1), ['a', null, 'b', 'd']);
  for (const [index, steps] of [
    [0, -1],
    [3, 1],
    [4, -1],
    [1, 0],
  ] as const)
    assert.deepEqual(moved(index, steps), ['a', 'b', null, 'd']);
});

test('a dragged row takes the place of the last row whose middle it passed', () => {
  // A low row, a high one, and two low ones.
  const rows = [
    { top: 0, height: 40 },
    { top: 40, height: 120 },
    { top: 160, height: 40 },
    { top: 200, height: 40 },
  ];
  const cases: [index: number, by: number, place: number][] = [
    [0, 0, 0],
    [0, 59, 0],
    [0, 61, 1],
    [0, 139, 1],
    [0, 141, 2],
    [0, 1_000, 3],
    [1, 19, 1],
    [1, 21, 2],
    [1, -19, 1],
    [1, -21, 0],
    [3, -19, 3],
    [3, -21, 2],
    [3, -99, 2],
    [3, -101, 1],
    [3, -1_000, 0],
    [9, 5, 9],
  ];
  for (const [index, by, place] of cases)
    assert.equal(placeAfterDrag(rows, index, by), place, `${index} by ${by}`);
});
