import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moved } from './lane-keys.ts';

const span = (start: number, end: number) => ({ start, end });
const lanes = [[span(0, 10), span(10, 20), span(20, 30)], [], [span(2, 4), span(24, 26)]];

test('arrows lead along a lane and end with it', () => {
  assert.deepEqual(moved(lanes, { lane: 0, index: 0 }, 'next'), { lane: 0, index: 1 });
  assert.equal(moved(lanes, { lane: 0, index: 2 }, 'next'), null);
  assert.equal(moved(lanes, { lane: 0, index: 0 }, 'previous'), null);
  assert.deepEqual(moved(lanes, { lane: 0, index: 1 }, 'last'), { lane: 0, index: 2 });
  assert.deepEqual(moved(lanes, { lane: 0, index: 1 }, 'first'), { lane: 0, index: 0 });
});

test('up and down lead to what is there at the time, past empty lanes', () => {
  assert.deepEqual(moved(lanes, { lane: 0, index: 2 }, 'down'), { lane: 2, index: 1 });
  assert.deepEqual(moved(lanes, { lane: 2, index: 0 }, 'up'), { lane: 0, index: 0 });
  assert.equal(moved(lanes, { lane: 2, index: 0 }, 'down'), null);
});
