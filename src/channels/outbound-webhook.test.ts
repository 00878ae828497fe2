import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { systemClock } from '../engine/clock.ts';
import { type Log, silentLog } from '../engine/log.ts';
import type { WebhookCall } from '../notices/notice.ts';
import { sampleNotice, sampleShiftNotice } from '../notices/sample-notice.ts';
import { shiftPayloadOf } from '../notices/shift-webhook.ts';
import { createOutbound } from './outbound.ts';
import { createOutboundWebhook } from './outbound-webhook.ts';
import { type Received, startReceiver } from './receiver.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const nextSecret = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const outbound = createOutbound({ allowNetworks: ['127.0.0.0/8'] });
const channelWith = (log: Log = silentLog) =>
  createOutboundWebhook({ outbound, clock: systemClock, log });
const key = 'shift/65f0000000000000000000a1/start/webhook/65f0000000000000000000e1';
const noticeWith = (webhook: Partial<WebhookCall> = {}) =>
  sampleShiftNotice({ key, webhook: { method: 'POST', secrets: [secret], ...webhook } });

/** Throws unless the library, given this secret, takes the request for ours. */
function verify({ body, headers }: Received, of = secret): void {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  new Webhook(of).verify(body, Object.fromEntries(texts), { jsonParse: false });
}

for (const method of ['POST', 'PUT'] as const)
  test(`a webhook is called by ${method} with the event as JSON, signed`, async () => {
    await using receiver = await startReceiver((_, response) => response.end('thanks'));
    const notice = noticeWith({ method });
    const delivery = await channelWith().send(notice, `${receiver.url}/hook?team=ops`);
    assert.deepEqual(delivery, { outcome: 'delivered', answer: 'thanks' });
    const [received] = receiver.received;
    assert.ok(received);
    assert.equal(received.method, method);
    assert.equal(received.path, '/hook?team=ops');
    assert.deepEqual(JSON.parse(received.body), shiftPayloadOf(notice));
    assert.deepEqual(Object.keys(received.headers).sort(), [
      ...['connection', 'content-length', 'content-type', 'host', 'user-agent'],
      ...['webhook-id', 'webhook-signature', 'webhook-timestamp'],
    ]);
    assert.equal(received.headers['content-type'], 'application/json');
    verify(received);
    assert.throws(() => verify({ ...received, body: `${received.body} ` }), /signature/);
  });

test('by GET the event is in the query, and an empty body is signed', async () => {
  await using receiver = await startReceiver((_, response) => response.end());
  await channelWith().send(noticeWith({ method: 'GET' }), `${receiver.url}/hook?team=ops`);
  const [received] = receiver.received;
  assert.ok(received);
  assert.equal(received.method, 'GET');
  assert.equal(received.body, '');
  assert.match(received.path, /^\/hook\?team=ops&event_type=oncall_shift_start&/);
  assert.equal(received.headers['content-type'], undefined);
  verify(received);
});

test('while secrets are rotated the call is signed with both', async () => {
  await using receiver = await startReceiver((_, response) => response.end());
  await channelWith().send(noticeWith({ secrets: [secret, nextSecret] }), receiver.url);
  const [received] = receiver.received;
  assert.ok(received);
  verify(received, secret);
  verify(received, nextSecret);
  const another = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
  assert.throws(() => verify(received, another), /signature/);
});

test('each try has the same id, without slashes and full stops', async () => {
  await using receiver = await startReceiver((_, response) => response.writeHead(503).end());
  const first = await channelWith().send(noticeWith(), receiver.url);
  assert.equal(first.outcome, 'retry');
  await channelWith().send(noticeWith(), receiver.url);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  assert.deepEqual(ids, [key.replaceAll('/', '-'), key.replaceAll('/', '-')]);
  for (const received of receiver.received) verify(received);
});

test('a webhook without a secret is called unsigned, with a warning', async () => {
  const told: string[] = [];
  const log: Log = { ...silentLog, warn: (_fields, message) => told.push(message) };
  await using receiver = await startReceiver((_, response) => response.end());
  await channelWith(log).send(noticeWith({ secrets: [] }), receiver.url);
  assert.equal(receiver.received[0]?.headers['webhook-signature'], undefined);
  assert.deepEqual(told, ['a webhook without a secret is called unsigned']);
});

test('what is no event of a shift, or has no address, fails for good', async () => {
  const channel = channelWith();
  const reason = 'no event that a webhook is told of';
  const failed = { outcome: 'failed', reason };
  assert.deepEqual(await channel.send(sampleNotice(), 'http://127.0.0.1/'), failed);
  assert.deepEqual(await channel.send(noticeWith(), 'secret'), {
    ...failed,
    reason: 'the webhook has no valid URL',
  });
});
