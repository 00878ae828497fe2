import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSignedBySlack } from './verify.ts';

// The example of Slack's documentation.
const example = {
  signingSecret: '8f742231b10e8888abcd99yyyzzz85a5',
  timestamp: '1531420618',
  signature: 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  body: Buffer.from(
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
  ),
  now: Temporal.Instant.from('2018-07-12T18:36:58Z'),
};

test('what Slack signed is accepted', () => {
  assert.ok(isSignedBySlack(example));
  assert.ok(isSignedBySlack({ ...example, now: example.now.add({ seconds: 300 }) }));
});

for (const [what, change] of Object.entries({
  'another body': { body: Buffer.from('token=other') },
  'another secret': { signingSecret: '8f742231b10e8888abcd99yyyzzz85a6' },
  'no secret': { signingSecret: '' },
  'another time': { timestamp: '1531420619' },
  'no time': { timestamp: '' },
  'what is older than five minutes': { now: example.now.add({ seconds: 301 }) },
  'what comes from the future': { now: example.now.subtract({ seconds: 301 }) },
  'no signature': { signature: '' },
  'half a signature': { signature: example.signature.slice(0, 40) },
}))
  test(`${what} is refused`, () => {
    assert.equal(isSignedBySlack({ ...example, ...change }), false);
  });
