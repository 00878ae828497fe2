import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slackFaultOf } from './failure.ts';

for (const [error, blame] of [
  ['channel_not_found', 'contact'],
  ['is_archived', 'contact'],
  ['not_in_channel', 'contact'],
  ['restricted_action', 'contact'],
  ['invalid_auth', 'connection'],
  ['token_revoked', 'connection'],
  ['account_inactive', 'connection'],
  ['missing_scope', 'connection'],
  ['msg_too_long', 'message'],
  ['message_not_found', 'gone'],
  ['ratelimited', 'later'],
  ['internal_error', 'later'],
  ['fatal_error', 'later'],
  ['service_unavailable', 'later'],
  ['not_heard_of_yet', 'unlisted'],
  ['constructor', 'unlisted'],
] as const)
  test(`${error} blames ${blame}`, () => {
    const fault = slackFaultOf({ type: 'refused', error });
    assert.equal(fault.blame, blame);
    assert.match(fault.reason, new RegExp(`^Slack: .+\\(${error}\\)`));
  });

for (const [error, words] of [
  ['ratelimited', 'too many requests at once'],
  ['internal_error', 'the service failed'],
  ['not_heard_of_yet', 'the request was rejected'],
] as const)
  test(`${error} reads: ${words}`, () => {
    assert.equal(slackFaultOf({ type: 'refused', error }).reason, `Slack: ${words} (${error})`);
  });

test('what is wrong with a token names the secret, and the scope that is missing', () => {
  assert.equal(
    slackFaultOf({ type: 'refused', error: 'missing_scope', needed: 'users:read' }).reason,
    'Slack: the app lacks a scope users:read (missing_scope): see bot_token of the connection',
  );
  assert.match(
    slackFaultOf({ type: 'refused', error: 'invalid_auth' }, 'app_token').reason,
    /see app_token/,
  );
});

test('a request to wait is kept within its bounds, and only for what is later', () => {
  const wait = (error: string) =>
    slackFaultOf({ type: 'refused', error, retryAfterSeconds: 100_000 }).retryAfterSeconds;
  assert.deepEqual([wait('ratelimited'), wait('is_archived')], [3_600, undefined]);
});

test('no answer may be done all the same', () => {
  const fault = slackFaultOf({ type: 'no_answer', reason: 'timed out', maybeExecuted: true });
  assert.deepEqual(fault, {
    blame: 'later',
    reason: 'Slack: timed out',
    maybeExecuted: true,
    isOutage: true,
  });
});
