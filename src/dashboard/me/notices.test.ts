import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  asAbove,
  channelsOf,
  events,
  hasOwn,
  type NoticeSettings,
  toggled,
  withOwn,
} from './notices.ts';

const all = (settings: NoticeSettings, scheduleId: string | null = null) =>
  events.map((event) => channelsOf(settings, event, scheduleId));

test('without a choice, mails say that shifts begin or were moved', () => {
  assert.deepEqual(all({}), [['email'], [], ['email']]);
  assert.deepEqual(all({}, 'payments'), [['email'], [], ['email']]);
});

test('a schedule follows the general choice until it has its own', () => {
  const general = toggled({}, { scheduleId: null, event: 'shift_end', channel: 'sms' });
  assert.deepEqual(all(general, 'payments'), [['email'], ['sms'], ['email']]);
  const own = withOwn(general, 'payments');
  const changed = toggled(own, { scheduleId: 'payments', event: 'shift_end', channel: 'sms' });
  assert.deepEqual([hasOwn(changed, 'payments'), hasOwn(changed, 'search')], [true, false]);
  assert.deepEqual(all(changed, 'payments'), [['email'], [], ['email']]);
  assert.deepEqual(all(changed), [['email'], ['sms'], ['email']]);
  assert.deepEqual(all(asAbove(changed, 'payments'), 'payments'), all(changed));
});

test('an event of a schedule that the API leaves out is as in general', () => {
  const settings: NoticeSettings = {
    shift_start: ['phone'],
    schedules: [{ oncall_schedule_id: 'payments', shift_end: ['sms'] }],
  };
  assert.deepEqual(all(settings, 'payments'), [['phone'], ['sms'], ['email']]);
});
