import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { sampleShiftNotice } from '../kinds/shift.ts';
import { shiftContentOf, shiftPayload, shiftPayloadOf } from './shift.ts';

const start = shiftPayloadOf(sampleShiftNotice());
assert.ok(start);

/** Field for field as the specification prints it. 6.2.2 */
const expected = {
  event_type: 'oncall_shift_start',
  organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
  user: {
    id: '65f0000000000000000000b1',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
  },
  oncall: {
    id: '65f0000000000000000000c1',
    name: 'Payments <primary>',
    url: 'https://pager.example.com/on-calls/65f0000000000000000000c1',
    shift: {
      id: '65f0000000000000000000a1',
      start: '2026-11-21T08:00:00.000Z',
      end: '2026-11-28T08:00:00.000Z',
    },
  },
};

test('6.2.2 the event has the fields of the specification and no other', () => {
  assert.deepEqual(start, expected);
});

test('6.2.3 the end differs from the start in its event_type alone', () => {
  const end = shiftPayloadOf(sampleShiftNotice({ kind: 'shift_end' }));
  assert.deepEqual(end, { ...expected, event_type: 'oncall_shift_end' });
});

test('what an edit changed of future shifts is no event', () => {
  assert.equal(shiftPayloadOf(sampleShiftNotice({ kind: 'shift_change' }, { shift: null })), null);
});

test('events keep to the published schema, which takes no more and no less', () => {
  const isEvent = new Ajv2020({ strict: false, validateFormats: false }).compile(shiftPayload);
  assert.ok(isEvent(start));
  assert.ok(!isEvent({ ...start, more: 1 }));
  const { oncall: _missing, ...less } = start;
  assert.ok(!isEvent(less));
});

test('6.2.2 the event is JSON', () => {
  const content = { type: 'application/json', body: JSON.stringify(expected) };
  assert.deepEqual(shiftContentOf(start), content);
});
