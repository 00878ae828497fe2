import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FakeTwilio, startFakeTwilio } from '../../../test/vendors/twilio.ts';
import { twilioConnection } from '../../../test/vendors/twilio-customer.ts';
import { createVendorHttp } from '../vendor-http.ts';
import { checkTwilio } from './check.ts';

const address = '+4915112345678';
const wayTo = ({ url: baseUrl }: FakeTwilio) => ({ baseUrl, http: createVendorHttp() });

test('an account that answers is named', async () => {
  await using fake = await startFakeTwilio();
  const check = () => checkTwilio(wayTo(fake), twilioConnection(fake), null);
  assert.deepEqual(await check(), {
    checks: [{ name: 'credentials', ok: true, message: 'The account “Acme” answers.' }],
    account: 'Acme',
  });
  fake.makeTrial();
  assert.match((await check()).checks[0]?.message ?? '', /This is a trial account/);
  fake.suspend();
  assert.deepEqual(await check(), {
    checks: [
      {
        name: 'credentials',
        ok: false,
        message: 'The account “Acme” is suspended: see the Twilio console.',
      },
    ],
    account: null,
  });
  fake.revokeToken();
  const { checks } = await check();
  assert.match(checks[0]?.message ?? '', /set account_sid and auth_token/);
});

test('an API key is checked beside the auth token', async () => {
  await using fake = await startFakeTwilio();
  const { sid: api_key_sid, secret } = fake.apiKey;
  const check = (api_key_secret: string) => {
    const secrets = { auth_token: fake.authToken, api_key_sid, api_key_secret };
    return checkTwilio(wayTo(fake), twilioConnection(fake, {}, { secrets }), null);
  };
  const right = await check(secret);
  assert.deepEqual([right.account, right.checks.map(({ ok }) => ok)], ['Acme', [true, true]]);
  const wrong = await check('wrong');
  assert.deepEqual([wrong.account, wrong.checks.map(({ ok }) => ok)], [null, [true, false]]);
});

test('a test call and a test message are sent', async () => {
  await using fake = await startFakeTwilio();
  const connection = twilioConnection(fake);
  const send = (channel: 'phone' | 'sms') =>
    checkTwilio(wayTo(fake), connection, { channel, address });
  assert.equal((await send('phone')).checks[1]?.message, 'Twilio is calling the number.');
  const phone = await fake.answer(fake.calls[0]?.sid ?? '');
  await phone.listen();
  assert.deepEqual(phone.heard, [
    'This is a test call from Pager. Pages are read to you like this.',
    'Goodbye.',
  ]);
  assert.equal((await send('sms')).checks[1]?.ok, true);
  assert.match(fake.messages[0]?.body ?? '', /^This is a test message from Pager/);
  const elsewhere = await checkTwilio(wayTo(fake), connection, {
    channel: 'phone',
    address: '+33612345678',
  });
  assert.match(elsewhere.checks[1]?.message ?? '', /^The number begins with no prefix/);
  assert.equal(fake.calls.length, 1);
  const { from_phone: _none, ...settings } = connection.settings;
  const without = await checkTwilio(
    wayTo(fake),
    { ...connection, settings },
    { channel: 'phone', address },
  );
  assert.equal(without.checks[1]?.message, 'The connection has no from_phone.');
});
