import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discordFaultOf } from './failure.ts';

for (const [status, code, blame, reason] of [
  [404, 10003, 'contact', /the channel does not exist, .* \(10003: refused\)$/],
  [403, 50001, 'contact', /View Channel there \(50001: refused\)$/],
  [403, 50013, 'contact', /lacks a permission in the channel/],
  [403, 0, 'contact', /not allowed to do this \(403: refused\)$/],
  [404, 10008, 'gone', /the message was deleted/],
  [404, 10062, 'gone', /has expired/],
  [400, 50035, 'message', /the message was rejected/],
  [400, 200_000, 'message', /blocked by a rule of the server/],
  [401, 0, 'connection', /bot token is not valid.*set bot_token/],
  [429, 0, 'later', /too many requests at once/],
  [429, 20028, 'later', /too many requests at once/],
  [400, 40004, 'later', /temporarily disabled/],
  [400, 99_999, 'unlisted', /the request was rejected \(99999: refused\)$/],
] as const)
  test(`${status} with the code ${code} blames ${blame}`, () => {
    const fault = discordFaultOf({ type: 'refused', status, code, message: 'refused' });
    assert.equal(fault.blame, blame);
    assert.match(fault.reason, reason);
    assert.equal(fault.maybeExecuted, false);
  });

test('a request to wait is kept within its bounds, and only for what is later', () => {
  const wait = (status: number) =>
    discordFaultOf({ type: 'refused', status, code: 0, message: '', retryAfterSeconds: 100_000.5 })
      .retryAfterSeconds;
  assert.deepEqual([wait(429), wait(404)], [3_600, undefined]);
});

test('no answer may be done all the same', () => {
  const fault = discordFaultOf({ type: 'no_answer', reason: 'timed out', maybeExecuted: true });
  assert.deepEqual(fault, {
    blame: 'later',
    reason: 'Discord: timed out',
    maybeExecuted: true,
    isOutage: true,
  });
});
