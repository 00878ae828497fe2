import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleShiftNotice } from '../kinds/shift.ts';
import { type Call, callRequestOf } from './call.ts';
import { sampleCall } from './sample-call.ts';
import { shiftContentOf, shiftPayloadOf } from './shift.ts';

const start = shiftPayloadOf(sampleShiftNotice());
assert.ok(start);
const headers = { authorization: 'Bearer x' };
const shiftBy = (method: Call['webhook']['method']): Call =>
  sampleCall({
    about: 'shift',
    content: shiftContentOf(start),
    webhook: { method, headers, secrets: [] },
  });
const incidentBy = (method: Call['webhook']['method']): Call =>
  sampleCall({ webhook: { method, headers, secrets: [] } });

test('2.5.2 by POST an incident is the body, in its own type', () => {
  const call = incidentBy('POST');
  assert.deepEqual(callRequestOf(call, new URL('https://hooks.example.com/x?a=1')), {
    method: 'POST',
    url: 'https://hooks.example.com/x?a=1',
    body: call.content.body,
    headers: { ...headers, 'content-type': call.content.type },
  });
});

for (const method of ['GET', 'PUT'] as const)
  test(`2.5.2 by ${method} an incident is told without a body, with the headers`, () => {
    assert.deepEqual(
      callRequestOf(incidentBy(method), new URL('https://hooks.example.com/x?a=1')),
      {
        method,
        url: 'https://hooks.example.com/x?a=1',
        headers,
        body: '',
      },
    );
  });

for (const method of ['POST', 'PUT'] as const)
  test(`6.2 by ${method} a shift is the body, without the webhook’s headers`, () => {
    const url = new URL('https://hooks.example.com/x?token=1');
    assert.deepEqual(callRequestOf(shiftBy(method), url), {
      method,
      url: 'https://hooks.example.com/x?token=1',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(start),
    });
  });

test('by GET a shift is added to the query under dotted names, and is all', () => {
  const url = new URL('https://hooks.example.com/x?token=a%20b&flag#part');
  const request = callRequestOf(shiftBy('GET'), url);
  assert.equal(request.body, '');
  assert.deepEqual(request.headers, {});
  const again = callRequestOf(shiftBy('GET'), new URL(request.url));
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

test('by GET a parameter of a shift stands for one of its name in the address', () => {
  const url = new URL('https://hooks.example.com/x?user.id=1&token=%7E&user%2Eemail=a&user=2');
  const { searchParams, search } = new URL(callRequestOf(shiftBy('GET'), url).url);
  assert.ok(search.startsWith('?token=%7E&user=2&event_type='), search);
  assert.deepEqual(searchParams.getAll('user.id'), ['65f0000000000000000000b1']);
  assert.deepEqual(searchParams.getAll('user.email'), ['ada@example.com']);
});
