import assert from 'node:assert/strict';
import { test } from 'node:test';
import { announcedOf, type ChangeNotice, type ShiftEvent } from './announced.ts';

const at = (hour: number) => `2026-11-23T${String(hour).padStart(2, '0')}:00:00.000Z`;
const event = (hour: number): ShiftEvent => ({
  id: `e${hour}`,
  type: 'start',
  recorded_at: at(hour),
  notices: [],
  shift: { user_id: 'ada', start: at(hour), end: at(hour + 1) },
});
const change = (hour: number, user_id: string, channel: string): ChangeNotice => ({
  edit: hour,
  user_id,
  created_at: at(hour),
  channel,
  changes: [],
  state: 'sent',
  attempts: 1,
});
const all = <One>(...list: readonly One[]) => ({ list, hasMore: false });
const some = <One>(...list: readonly One[]) => ({ list, hasMore: true });
const keys = (...lists: Parameters<typeof announcedOf>) =>
  announcedOf(...lists).map(({ key }) => key);

test('events and edits are one list, newest first', () => {
  assert.deepEqual(
    keys(all(event(9), event(5)), all(change(10, 'lin', 'email'), change(7, 'ada', 'email'))),
    ['10 lin', 'e9', '7 ada', 'e5'],
  );
});

test('of an edit each person is notified once, by as many channels as they chose', () => {
  const notices = [
    change(7, 'ada', 'email'),
    change(7, 'lin', 'email'),
    change(7, 'ada', 'telegram'),
  ];
  const announced = announcedOf(all(), all(...notices));
  assert.deepEqual(
    announced.map(({ key, notices: own }) => [key, own.map(({ channel }) => channel)]),
    [
      ['7 ada', ['email', 'telegram']],
      ['7 lin', ['email']],
    ],
  );
});

test('what a list has not been read to is not shown of the other one', () => {
  assert.deepEqual(keys(some(event(9), event(5)), all(change(7, 'ada', 'email'))), [
    'e9',
    '7 ada',
    'e5',
  ]);
  const older = change(3, 'ada', 'email');
  assert.deepEqual(keys(some(event(9), event(5)), all(older)), ['e9', 'e5']);
  assert.deepEqual(keys(all(event(9), event(5)), some(change(7, 'ada', 'email'))), ['e9', '7 ada']);
  assert.deepEqual(keys(some(), all(older)), ['3 ada']);
});
