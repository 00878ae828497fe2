import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { sampleShiftNotice } from './sample-notice.ts';
import { shiftPayload, shiftPayloadOf, shiftRequestOf } from './shift-webhook.ts';

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

for (const method of ['POST', 'PUT'] as const)
  test(`6.2 by ${method} the event is the body, as JSON`, () => {
    const url = new URL('https://hooks.example.com/x?token=1');
    assert.deepEqual(shiftRequestOf(start, { method, url }), {
      method,
      url: 'https://hooks.example.com/x?token=1',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(expected),
    });
  });

test('by GET the event is added to the query under dotted names, and is all', () => {
  const url = new URL('https://hooks.example.com/x?token=a%20b&flag#part');
  const request = shiftRequestOf(start, { method: 'GET', url });
  assert.equal(request.body, '');
  assert.deepEqual(request.headers, {});
  const again = shiftRequestOf(start, { method: 'GET', url: new URL(request.url) });
  assert.equal(again.url, request.url);
  const { search, searchParams } = new URL(request.url);
  assert.ok(search.startsWith('?token=a%20b&flag&event_type='), search);
  assert.deepEqual([...searchParams].slice(2), [
    ['event_type', 'oncall_shift_start'],
    ['organization.id', '65f000000000000000000001'],
    ['organization.name', 'Acme & Sons'],
    ['user.id', '65f0000000000000000000b1'],
    ['user.firstName', 'Ada'],
    ['user.lastName', 'Lovelace'],
    ['user.email', 'ada@example.com'],
    ['oncall.id', '65f0000000000000000000c1'],
    ['oncall.name', 'Payments <primary>'],
    ['oncall.url', 'https://pager.example.com/on-calls/65f0000000000000000000c1'],
    ['oncall.shift.id', '65f0000000000000000000a1'],
    ['oncall.shift.start', '2026-11-21T08:00:00.000Z'],
    ['oncall.shift.end', '2026-11-28T08:00:00.000Z'],
  ]);
});

test('by GET a parameter of the event stands for one of its name in the address', () => {
  const url = new URL('https://hooks.example.com/x?user.id=1&token=%7E&user%2Eemail=a&user=2');
  const { searchParams, search } = new URL(shiftRequestOf(start, { method: 'GET', url }).url);
  assert.ok(search.startsWith('?token=%7E&user=2&event_type='), search);
  assert.deepEqual(searchParams.getAll('user.id'), ['65f0000000000000000000b1']);
  assert.deepEqual(searchParams.getAll('user.email'), ['ada@example.com']);
});
