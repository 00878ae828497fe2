import assert from 'node:assert/strict';
import { test } from 'node:test';
import twilio from 'twilio';
import { type FakeTwilio, startFakeTwilio } from '../../../test/vendors/twilio.ts';
import { twilioConnection } from '../../../test/vendors/twilio-customer.ts';
import { startWebhookServer } from '../../../test/webhook-server.ts';
import { createVendorHttp } from '../vendor-http.ts';
import { clientOf, type TwilioResult } from './client.ts';

const http = createVendorHttp();
const to = '+4915112345678';
const ours = (fake: FakeTwilio) => clientOf({ baseUrl: fake.url, http }, twilioConnection(fake));

/** The vendor’s library, led to the fake. */
function theirs({ url, account, authToken }: FakeTwilio) {
  class ToFake extends twilio.RequestClient {
    override request<Data>(
      options: Parameters<typeof twilio.RequestClient.prototype.request<Data>>[0],
    ) {
      const uri = options.uri.replace('https://api.twilio.com', url);
      return super.request<Data>({ ...options, uri });
    }
  }
  return twilio(account.sid, authToken, { httpClient: new ToFake() });
}

function resultOf<Result>(answer: TwilioResult<Result>): Result {
  assert.ok(answer.ok, JSON.stringify(answer));
  return answer.result;
}

function failureOf(answer: TwilioResult<unknown>) {
  assert.ok(!answer.ok, JSON.stringify(answer));
  return answer.failure;
}

test('requests are those of the vendor’s library', async () => {
  await using fake = await startFakeTwilio();
  fake.setReceipts('lost');
  const [client, sdk] = [ours(fake), theirs(fake)];
  const statusCallback = 'https://pager.example.com/callbacks/phone/c1/h';
  const statusCallbackEvent = ['initiated', 'ringing', 'answered', 'completed'];
  const twiml = '<Response><Say>100 % & +1</Say></Response>';
  const call = resultOf(
    await client.create('Calls', {
      To: to,
      From: fake.number,
      Twiml: twiml,
      Timeout: '25',
      TimeLimit: '180',
      StatusCallback: statusCallback,
      StatusCallbackEvent: statusCallbackEvent,
      StatusCallbackMethod: 'POST',
    }),
  );
  await sdk.calls.create({
    to,
    from: fake.number,
    twiml,
    timeout: 25,
    timeLimit: 180,
    statusCallback,
    statusCallbackEvent,
    statusCallbackMethod: 'POST',
  });
  const body = 'INC-42 “ä” +1 & 100 %';
  const message = resultOf(
    await client.create('Messages', {
      To: to,
      From: fake.number,
      Body: body,
      ValidityPeriod: '300',
      StatusCallback: statusCallback,
    }),
  );
  await sdk.messages.create({ to, from: fake.number, body, validityPeriod: 300, statusCallback });
  resultOf(await client.fetch('Calls', call.sid));
  await sdk.calls(call.sid).fetch();
  resultOf(await client.fetch('Messages', message.sid));
  await sdk.messages(message.sid).fetch();
  resultOf(await client.list('Messages', to));
  await sdk.messages.list({ to, pageSize: 20, limit: 20 });
  resultOf(await client.cancel(call.sid));
  await sdk.calls(call.sid).update({ status: 'canceled' });
  resultOf(await client.account());
  await sdk.api.accounts(fake.account.sid).fetch();
  const requests = [...fake.requests];
  assert.equal(requests.length, 14);
  while (requests.length > 0) {
    const [one, other] = requests.splice(0, 2);
    assert.deepEqual(one, other);
  }
});

test('what was created is fetched, listed and cancelled', async () => {
  await using fake = await startFakeTwilio();
  const client = ours(fake);
  const Twiml = '<Response/>';
  const call = resultOf(await client.create('Calls', { To: to, From: fake.number, Twiml }));
  assert.equal(call.status, 'queued');
  assert.ok(call.createdAt);
  assert.deepEqual(resultOf(await client.list('Calls', to)), [call]);
  assert.deepEqual(resultOf(await client.list('Calls', '+4930123456')), []);
  assert.equal(resultOf(await client.cancel(call.sid)).status, 'canceled');
  assert.equal(resultOf(await client.fetch('Calls', call.sid)).status, 'canceled');
  assert.equal(fake.calls[0]?.status, 'canceled');
  const answered = resultOf(await client.create('Calls', { To: to, From: fake.number, Twiml }));
  await fake.answer(answered.sid);
  assert.equal(resultOf(await client.cancel(answered.sid)).status, 'in-progress');
});

test('a refusal has its code and its words, without the number', async () => {
  await using fake = await startFakeTwilio();
  const client = ours(fake);
  const create = (To: string) =>
    client.create('Messages', { To, From: fake.number, Body: 'Disk full' });
  assert.deepEqual(failureOf(await create('0151')), {
    type: 'refused',
    status: 400,
    code: 21211,
    message: "Invalid 'To' Phone Number: 0151",
  });
  fake.makeTrial();
  assert.match(
    JSON.stringify(failureOf(await create(to))),
    /21608.*The number …5678 is unverified/,
  );
  assert.equal(fake.messages.length, 0);
});

test('no secret is in any result', async () => {
  await using fake = await startFakeTwilio();
  const message = `Authenticate ${fake.authToken}`;
  fake.misbehave('GET .json', { type: 'refuse', status: 401, code: 20003, message });
  const answer = await ours(fake).account();
  assert.deepEqual(failureOf(answer), {
    type: 'refused',
    status: 401,
    code: 20003,
    message: 'Authenticate …',
  });
});

for (const [status, body] of [
  [502, '<html>Bad Gateway</html>'],
  [200, '{"sid":1}'],
  [201, '[]'],
  [403, '{"error":"blocked by the proxy"}'],
] as const)
  test(`an answer of something else is no refusal: ${status} ${body}`, async () => {
    await using fake = await startFakeTwilio();
    await using server = await startWebhookServer((_, response) => {
      response.statusCode = status;
      response.end(body);
    });
    const client = clientOf({ baseUrl: server.url, http }, twilioConnection(fake));
    assert.deepEqual(failureOf(await client.create('Messages', { To: to, Body: 'x' })), {
      type: 'no_answer',
      reason: `answered ${status} in a form that is not Twilio’s`,
      maybeExecuted: true,
    });
  });
