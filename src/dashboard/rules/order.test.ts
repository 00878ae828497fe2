import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canMove, inOrder, movesFor, type Placed, stepsTo } from './order.ts';

/** By name: the position, or null; counters are in the order of the names. */
function rulesOf(positions: Readonly<Record<string, number | null>>, team_id = 'a'): Placed[] {
  return Object.entries(positions).map(([id, position], index) => ({
    id,
    team_id,
    counter: index + 1,
    version: 1,
    ...(position !== null && { position }),
  }));
}
const namesOf = (rules: readonly Placed[]) => rules.map(({ id }) => id).join(' ');

/** The order after the moves are written. */
function orderAfter(rules: readonly Placed[], index: number, steps: number): string {
  const ordered = inOrder(rules);
  const moves = new Map(movesFor(ordered, index, steps).map((move) => [move.id, move]));
  return namesOf(inOrder(rules.map((rule) => moves.get(rule.id) ?? rule)));
}

test('rules run by position, then by counter, team by team', () => {
  const rules = [...rulesOf({ e: 1 }, 'b'), ...rulesOf({ a: null, b: 20, c: null, d: 10 })];
  assert.equal(namesOf(inOrder(rules)), 'd b a c e');
});

test('a rule moves past its neighbor, whatever positions they have', () => {
  const cases = [
    { a: 1, b: 2, c: 3 },
    { a: null, b: null, c: null },
    { a: 0, b: 0, c: 0 },
    { a: 5, b: null, c: null },
    { a: 5, b: 6, c: null },
  ];
  for (const positions of cases) {
    const rules = rulesOf(positions);
    assert.equal(orderAfter(rules, 1, -1), 'b a c', JSON.stringify(positions));
    assert.equal(orderAfter(rules, 1, 1), 'a c b', JSON.stringify(positions));
  }
});

test('a rule is dragged past several, whatever positions they have', () => {
  const cases = [
    { a: 1, b: 2, c: 3, d: 4 },
    { a: null, b: null, c: null, d: null },
    { a: 5, b: 5, c: null, d: null },
  ];
  for (const positions of cases) {
    const rules = rulesOf(positions);
    assert.equal(orderAfter(rules, 0, 2), 'b c a d', JSON.stringify(positions));
    assert.equal(orderAfter(rules, 3, -3), 'd a b c', JSON.stringify(positions));
    assert.equal(orderAfter(rules, 1, 0), 'a b c d', JSON.stringify(positions));
  }
  const moves = movesFor(inOrder(rulesOf({ a: 1, b: 20, c: 30, d: 4 })), 0, 2);
  assert.deepEqual(
    moves.map(({ id, position }) => [id, position]),
    [
      ['d', 1],
      ['b', 4],
      ['a', 20],
    ],
  );
});

test('a rule is not dragged past those of its team', () => {
  const ordered = inOrder([...rulesOf({ a: 1, b: 2 }), ...rulesOf({ c: 1, d: 2 }, 'b')]);
  assert.deepEqual(
    ['a', 'b', 'c', 'd', 'gone'].map((id) => stepsTo(ordered, 0, id)),
    [0, 1, 1, 1, 0],
  );
  assert.equal(stepsTo(ordered, 3, 'a'), -1);
});

test('two with positions change places, and no other rule is written', () => {
  const ordered = inOrder(rulesOf({ a: 1, b: 2, c: 3, d: 4 }));
  const moves = movesFor(ordered, 2, -1);
  assert.deepEqual(
    moves.map(({ id, position }) => [id, position]),
    [
      ['c', 2],
      ['b', 3],
    ],
  );
});

test('rules without a position behind both keep none', () => {
  const ordered = inOrder(rulesOf({ a: null, b: null, c: null, d: null }));
  assert.equal(namesOf(movesFor(ordered, 1, -1)), 'b');
});

test('no rule moves past the ends, or past a rule of another team', () => {
  const ordered = inOrder([...rulesOf({ a: 1, b: 2 }), ...rulesOf({ c: 1 }, 'b')]);
  assert.equal(canMove(ordered, 0, -1), false);
  assert.equal(canMove(ordered, 0, 1), true);
  assert.equal(canMove(ordered, 1, 1), false);
  assert.equal(canMove(ordered, 2, 1), false);
  assert.deepEqual(movesFor(ordered, 1, 1), []);
});
