import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pagedBy, stepOf, type Upcoming } from './next.ts';

const notice = { kind: 'page', step: 2, user_id: null, deliverable: true };
const upcoming = (notices: Upcoming['notices']): Upcoming => ({
  at: '2026-11-23T03:12:00.000Z',
  type: 'step',
  text: 'Step 2.',
  notices,
});

test('who is paged next is each of them once, people first, without who is not reached', () => {
  const next = upcoming([
    { ...notice, chat: '#ops' },
    { ...notice, person: 'Lin', user_id: 'l' },
    { ...notice, person: 'Lin', user_id: 'l' },
    { ...notice, person: 'Ada', user_id: 'a', deliverable: false },
  ]);
  assert.deepEqual(pagedBy(next), [
    { id: 'l', name: 'Lin' },
    { id: null, name: '#ops' },
  ]);
  assert.equal(stepOf(next), 2);
});

test('what pages nobody has no step', () => {
  assert.deepEqual(pagedBy(upcoming([])), []);
  assert.equal(stepOf(upcoming([])), null);
});
