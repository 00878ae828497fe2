import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFailed, mendsOf } from './mends.ts';
import type { Entry, Notice } from './story.ts';

const entry = (type: string, details?: unknown): Entry => ({
  id: type,
  cursor: type,
  at: '1',
  type,
  text: type,
  details,
});
const notice = (state: Notice['state']) => ({ state }) as Notice;

test('a step that paged nobody failed, and one whose pages all failed', () => {
  assert.equal(isFailed({ entry: entry('step_skipped'), notices: [] }), true);
  assert.equal(isFailed({ entry: entry('step_ran'), notices: [notice('failed')] }), true);
  const some = [notice('failed'), notice('sent')];
  assert.equal(isFailed({ entry: entry('step_ran'), notices: some }), false);
  assert.equal(isFailed({ entry: entry('step_ran'), notices: [] }), false);
});

test('each reason leads to the page that mends it, once', () => {
  const duty = { schedule_id: 's', schedule: 'Payments', layer: null };
  const skipped = [
    { name: 'Ada', user_id: 'ada', reason: 'channel not set up' },
    { name: 'Lin', user_id: 'lin', reason: 'channel not set up' },
    { name: 'Eve', user_id: 'eve', reason: 'no phone' },
    { name: 'on call', user_id: null, on_call: duty, reason: 'nobody is on call' },
    { name: '#ops', user_id: null, reason: 'gone' },
  ];
  assert.deepEqual(mendsOf(entry('step_skipped', { skipped })), [
    { to: '/settings/channels' },
    { to: '/users/$id', id: 'eve', name: 'Eve' },
    { to: '/on-calls/$id', id: 's', name: 'Payments' },
  ]);
  assert.deepEqual(mendsOf(entry('note')), []);
  assert.deepEqual(mendsOf(entry('note', { skipped: 'all' })), []);
});
