import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrivedIn, merge, restOf } from './arrivals.ts';

const row = (id: string, at = 1, group = 'triggered') => ({
  id,
  group,
  updated_at: `2026-11-23T00:00:0${at}.000Z`,
});
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).join('');

test('while nobody is at the list, it is as the server says', () => {
  const shown = merge([row('b'), row('a')], [row('c'), row('b')], false);
  assert.deepEqual([idsOf(shown.rows), shown.waiting, shown.gone.size], ['cb', 0, 0]);
});

test('while somebody is at the list, what is new waits and what has left stays', () => {
  const shown = merge(
    [row('c'), row('b'), row('a')],
    [row('e'), row('d'), row('c'), row('a', 2)],
    true,
  );
  assert.deepEqual([idsOf(shown.rows), shown.waiting], ['cba', 2]);
  assert.deepEqual([...shown.gone], [['b', { isKnown: false }]]);
  assert.deepEqual(shown.rows[2], row('a', 2), 'a row changes in its place');
});

test('a row that changes its group stays where it is until then', () => {
  const acknowledged = [row('a', 2, 'acknowledged')];
  assert.deepEqual(merge([row('a')], acknowledged, true).rows, [row('a', 2)]);
  assert.deepEqual(merge([row('a')], acknowledged, false).rows, acknowledged);
});

test('what was loaded at the end is shown at once', () => {
  const shown = merge([row('c'), row('b')], [row('d'), row('c'), row('b'), row('a')], true);
  assert.deepEqual([idsOf(shown.rows), shown.waiting], ['cba', 1]);
});

test('what is older than what is shown changes nothing', () => {
  const shown = merge([row('a', 2)], [row('a', 1)], true);
  assert.deepEqual(shown.rows, [row('a', 2)]);
});

test('a row that has left the list says what became of it', () => {
  const shown = merge([row('b'), row('a')], [row('b')], true, [row('a', 2, 'resolved')]);
  assert.deepEqual(shown.rows, [row('b'), row('a', 2)]);
  assert.deepEqual([...shown.gone], [['a', { isKnown: true }]]);
});

test('a list that was empty shows what comes', () => {
  assert.equal(idsOf(merge([], [row('a')], true).rows), 'a');
});

test('what has arrived is told from what was loaded', () => {
  const rows = (...numbers: number[]) => numbers.map((number) => ({ id: `${number}`, number }));
  assert.equal(arrivedIn(rows(5, 4), rows(7, 5, 4, 3, 2)), 1);
  assert.equal(arrivedIn(rows(5, 4), rows(5, 4, 6)), 1, 'it is less urgent than what was there');
  assert.equal(arrivedIn(rows(5, 4), rows(3, 5)), 1, 'it was opened anew, or became mine');
  assert.equal(arrivedIn(rows(), rows(1)), 1);
  assert.equal(arrivedIn(rows(2, 1), rows(1)), 0);
});

test('of a list with further pages it is said that there are more', () => {
  const incidents = [row('c'), row('b'), row('a')];
  const gone = new Map([['b', { isKnown: true }]]);
  const whole = restOf({ incidents, next_cursor: null }, gone);
  assert.deepEqual([idsOf(whole.incidents), whole.count], ['ca', '2']);
  assert.equal(restOf({ incidents, next_cursor: 'a' }, gone).count, '2+');
});
