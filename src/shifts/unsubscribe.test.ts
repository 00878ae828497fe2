import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutChannel } from './unsubscribe.ts';

test('whoever never chose anything gets nothing by e-mail any more', () => {
  assert.deepEqual(withoutChannel({}, 'email'), {
    shift_start: [],
    shift_end: [],
    shift_change: [],
  });
});

test('other channels stay, and a schedule without a setting of its own still has none', () => {
  const oncall_schedule_id = 'a'.repeat(24);
  const settings = {
    shift_start: ['phone' as const, 'email' as const],
    shift_end: ['email' as const],
    schedules: [{ oncall_schedule_id, shift_end: ['email' as const, 'sms' as const] }],
  };
  assert.deepEqual(withoutChannel(settings, 'email'), {
    shift_start: ['phone'],
    shift_end: [],
    shift_change: [],
    schedules: [{ oncall_schedule_id, shift_end: ['sms'] }],
  });
});
