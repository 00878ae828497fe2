import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TwilioFailure } from './client.ts';
import { isFiltered, type TwilioFault, twilioFaultOf, twilioFaultOfCode } from './failure.ts';
import { receiptOfMessage } from './receipt.ts';

const refused = (status: number, code: number, message = 'Words'): TwilioFailure => ({
  type: 'refused',
  status,
  code,
  message,
});

const cases: readonly (readonly [TwilioFailure, Omit<TwilioFault, 'reason' | 'code'>])[] = [
  [refused(400, 21211), { blame: 'contact', contactState: 'invalid', maybeExecuted: false }],
  [refused(400, 21214), { blame: 'contact', contactState: 'invalid', maybeExecuted: false }],
  [refused(400, 21217), { blame: 'contact', contactState: 'invalid', maybeExecuted: false }],
  [refused(400, 21610), { blame: 'contact', contactState: 'opted_out', maybeExecuted: false }],
  [refused(400, 13224), { blame: 'contact', contactState: 'invalid', maybeExecuted: false }],
  [refused(400, 21614), { blame: 'contact', contactState: 'invalid', maybeExecuted: false }],
  [refused(401, 20003), { blame: 'connection', maybeExecuted: false }],
  [refused(403, 0), { blame: 'connection', maybeExecuted: false }],
  [refused(403, 20005), { blame: 'connection', maybeExecuted: false }],
  [refused(400, 21408), { blame: 'connection', maybeExecuted: false }],
  [refused(400, 21215), { blame: 'connection', maybeExecuted: false }],
  [refused(400, 21606), { blame: 'connection', maybeExecuted: false }],
  [refused(400, 21608), { blame: 'connection', maybeExecuted: false }],
  [refused(400, 21612), { blame: 'connection', maybeExecuted: false }],
  [refused(400, 21219), { blame: 'connection', maybeExecuted: false }],
  [refused(429, 20429), { blame: 'later', maybeExecuted: false }],
  [refused(429, 0), { blame: 'later', maybeExecuted: false }],
  [refused(500, 20500), { blame: 'later', maybeExecuted: true, isOutage: true }],
  [refused(503, 0), { blame: 'later', maybeExecuted: true, isOutage: true }],
  [refused(400, 13225), { blame: 'contact', maybeExecuted: false }],
  [refused(400, 21203), { blame: 'connection', maybeExecuted: false }],
  [refused(400, 21265), { blame: 'contact', contactState: 'invalid', maybeExecuted: false }],
  [refused(400, 21266), { blame: 'contact', maybeExecuted: false }],
  [refused(408, 0), { blame: 'later', maybeExecuted: false }],
  // What Twilio may add tomorrow.
  [refused(400, 21999), { blame: 'unlisted', maybeExecuted: false }],
  [refused(404, 99999), { blame: 'unlisted', maybeExecuted: false }],
  [refused(409, 45000), { blame: 'unlisted', maybeExecuted: false }],
  [refused(418, 0), { blame: 'unlisted', maybeExecuted: false }],
  [
    { type: 'no_answer', reason: 'timed out connecting', maybeExecuted: false },
    { blame: 'later', maybeExecuted: false, isOutage: true },
  ],
  [
    { type: 'no_answer', reason: 'timed out waiting for the answer', maybeExecuted: true },
    { blame: 'later', maybeExecuted: true, isOutage: true },
  ],
];

for (const [failure, expected] of cases) {
  const name =
    failure.type === 'refused' ? `${failure.status} with ${failure.code}` : failure.reason;
  test(`${name} is a fault of: ${expected.blame}`, () => {
    const { reason, code: _code, ...fault } = twilioFaultOf(failure);
    assert.deepEqual(fault, expected);
    assert.match(reason, /^Twilio: /);
  });
}

test('a fault of the connection names the setting to change', () => {
  assert.match(twilioFaultOf(refused(401, 20003)).reason, /set account_sid and auth_token/);
});

for (const [code, blame] of [
  [30002, 'connection'],
  [30003, 'contact'],
  [30005, 'contact'],
  [30006, 'contact'],
  [30007, 'later'],
  [30008, 'later'],
  [30034, 'connection'],
  [30036, 'later'],
  [63016, 'connection'],
  [21610, 'contact'],
  [39999, 'later'],
  [0, 'later'],
] as const)
  test(`a message that ends with ${code} is a fault of: ${blame}`, () =>
    assert.equal(twilioFaultOfCode(code).blame, blame));

for (const [code, state] of [
  [21610, 'opted_out'],
  [30005, 'invalid'],
  [30006, 'invalid'],
  [30004, undefined],
  [30003, undefined],
] as const)
  test(`a message that ends with ${code} leaves the contact ${state ?? 'as it is'}`, () =>
    assert.equal(twilioFaultOfCode(code).contactState, state));

test('only a filtered message counts as filtered', () => {
  assert.ok(isFiltered(receiptOfMessage('undelivered', 30007)));
  assert.ok(!isFiltered(receiptOfMessage('undelivered', 30003)));
  assert.ok(!isFiltered(null));
});
