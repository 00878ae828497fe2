import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { type Received, startWebhookServer } from '../../test/webhook-server.ts';
import { systemClock } from '../engine/clock.ts';
import { type Log, silentLog } from '../engine/log.ts';
import { sampleShiftNotice } from '../notices/kinds/shift.ts';
import type { WebhookCall } from '../notices/webhooks/call.ts';
import { sampleCall } from '../notices/webhooks/sample-call.ts';
import { shiftContentOf, shiftPayloadOf } from '../notices/webhooks/shift.ts';
import { createOutbound } from './outbound.ts';
import { createOutboundWebhook } from './outbound-webhook.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const nextSecret = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const outbound = createOutbound({ log: silentLog, allowNetworks: ['127.0.0.0/8'] });
const channelWith = (log: Log = silentLog) =>
  createOutboundWebhook({ outbound, clock: systemClock, log });
const start = shiftPayloadOf(sampleShiftNotice());
assert.ok(start);
const content = shiftContentOf(start);
const webhookWith = (overrides: Partial<WebhookCall>): WebhookCall => ({
  method: 'POST',
  headers: { 'x-own': 'yes' },
  secrets: [secret],
  ...overrides,
});
const shiftWith = (overrides: Partial<WebhookCall> = {}) =>
  sampleCall({ about: 'shift', webhook: webhookWith(overrides), content });

/** Throws unless the library, given this secret, takes the request for ours. */
function verify({ body, headers }: Received, of = secret): void {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  new Webhook(of).verify(body, Object.fromEntries(texts), { jsonParse: false });
}

for (const method of ['POST', 'PUT'] as const)
  test(`a webhook is called by ${method} with a shift as JSON, signed`, async () => {
    await using webhookServer = await startWebhookServer((_, response) => response.end('thanks'));
    const delivery = await channelWith().send(
      shiftWith({ method }),
      `${webhookServer.url}/hook?team=ops`,
    );
    assert.deepEqual(delivery, { outcome: 'delivered', status: 200, answer: 'thanks' });
    const [received] = webhookServer.received;
    assert.ok(received);
    assert.equal(received.method, method);
    assert.equal(received.path, '/hook?team=ops');
    assert.equal(received.body, content.body);
    assert.deepEqual(Object.keys(received.headers).sort(), [
      ...['connection', 'content-length', 'content-type', 'host', 'user-agent'],
      ...['webhook-id', 'webhook-signature', 'webhook-timestamp'],
    ]);
    assert.equal(received.headers['content-type'], 'application/json');
    verify(received);
    assert.throws(() => verify({ ...received, body: `${received.body} ` }), /signature/);
  });

test('by GET a shift is in the query, and an empty body is signed', async () => {
  await using webhookServer = await startWebhookServer((_, response) => response.end());
  await channelWith().send(shiftWith({ method: 'GET' }), `${webhookServer.url}/hook?team=ops`);
  const [received] = webhookServer.received;
  assert.ok(received);
  assert.equal(received.method, 'GET');
  assert.equal(received.body, '');
  assert.match(received.path, /^\/hook\?team=ops&event_type=oncall_shift_start&/);
  assert.equal(received.headers['content-type'], undefined);
  verify(received);
});

test('while secrets are rotated the call is signed with both', async () => {
  await using webhookServer = await startWebhookServer((_, response) => response.end());
  await channelWith().send(shiftWith({ secrets: [secret, nextSecret] }), webhookServer.url);
  const [received] = webhookServer.received;
  assert.ok(received);
  verify(received, secret);
  verify(received, nextSecret);
  const another = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
  assert.throws(() => verify(received, another), /signature/);
});

test('an incident goes out in its own type, with the webhook’s headers, signed', async () => {
  await using webhookServer = await startWebhookServer((_, response) => response.end());
  const type = 'application/x-www-form-urlencoded';
  const call = sampleCall({ webhook: webhookWith({}), content: { type, body: 'a%5Bb%5D=%C3%BC' } });
  await channelWith().send(call, webhookServer.url);
  const [received] = webhookServer.received;
  assert.ok(received);
  assert.equal(received.body, 'a%5Bb%5D=%C3%BC');
  assert.equal(received.headers['content-type'], type);
  assert.equal(received.headers['x-own'], 'yes');
  verify(received);
});

for (const method of ['GET', 'PUT'] as const)
  test(`2.5.2 by ${method} an incident has no body, and the empty one is signed`, async () => {
    await using webhookServer = await startWebhookServer((_, response) => response.end());
    await channelWith().send(sampleCall({ webhook: webhookWith({ method }) }), webhookServer.url);
    const [received] = webhookServer.received;
    assert.ok(received);
    assert.deepEqual([received.method, received.body, received.path], [method, '', '/']);
    assert.equal(received.headers['content-type'], undefined);
    assert.equal(received.headers['x-own'], 'yes');
    verify(received);
  });

test('each try has the same id, without slashes and full stops', async () => {
  await using webhookServer = await startWebhookServer((_, response) =>
    response.writeHead(503).end(),
  );
  const first = await channelWith().send(shiftWith(), webhookServer.url);
  assert.equal(first.outcome, 'no_answer');
  await channelWith().send(shiftWith(), webhookServer.url);
  const ids = webhookServer.received.map(({ headers }) => headers['webhook-id']);
  assert.deepEqual(ids, [shiftWith().messageId, shiftWith().messageId]);
  assert.match(String(ids[0]), /^[^/.]+$/);
  for (const received of webhookServer.received) verify(received);
});

test('a webhook without a secret is called unsigned, with a warning', async () => {
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (_fields, message) => warnings.push(message) };
  await using webhookServer = await startWebhookServer((_, response) => response.end());
  await channelWith(log).send(shiftWith({ secrets: [] }), webhookServer.url);
  assert.equal(webhookServer.received[0]?.headers['webhook-signature'], undefined);
  assert.deepEqual(warnings, ['a webhook without a secret is called unsigned']);
});

test('a webhook without a valid address fails for good', async () => {
  const failed = { outcome: 'failed', reason: 'the webhook has no valid URL' };
  assert.deepEqual(await channelWith().send(shiftWith(), 'secret'), failed);
});
