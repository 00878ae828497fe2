// Outbound webhooks of incidents, from the person who calls one to the receiver and its log.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Webhook } from 'standardwebhooks';
import { incidentPayload } from '../../src/notices/webhooks/incident.ts';
import { parseForm } from '../bracketed-form.ts';
import { databases } from '../database.ts';
import { startWebhookCalls, type WebhookCalls } from '../webhook-calls.ts';
import { type Received, startWebhookServer } from '../webhook-server.ts';

const isPayload = new Ajv2020({ strict: false, validateFormats: false }).compile(incidentPayload);

/** Throws unless the library, given this secret, takes the request for ours. */
function verify({ body, headers }: Received, secret: string): void {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  new Webhook(secret).verify(body, Object.fromEntries(texts), { jsonParse: false });
}
const only = <T>(all: readonly T[]): T => {
  assert.equal(all.length, 1);
  return all[0] as T;
};
const textsOf = async ({ sql }: WebhookCalls, type: string) =>
  (await sql<{ text: string }[]>`select text from timeline where type = ${type} order by id`).map(
    ({ text }) => text,
  );

type Case = (calls: WebhookCalls) => Promise<void>;
const suite: Readonly<Record<string, Case>> = {
  async '2.5.2 2.5.3 by POST a receiver gets the incident as JSON, with the headers, signed'(
    calls,
  ) {
    await using webhookServer = await startWebhookServer((_, response) =>
      response.writeHead(204).end(),
    );
    const headers = { authorization: 'Bearer x' };
    const hook = await calls.webhook({ url: `${webhookServer.url}/in?a=1`, headers });
    await calls.call(await calls.trigger('disk full'), hook);
    await calls.send();
    const received = only(webhookServer.received);
    assert.deepEqual([received.method, received.path], ['POST', '/in?a=1']);
    assert.equal(received.headers['content-type'], 'application/json');
    assert.equal(received.headers['authorization'], 'Bearer x');
    verify(received, await calls.secretOf(hook));
    const payload = JSON.parse(received.body);
    assert.ok(isPayload(payload), JSON.stringify(isPayload.errors));
    assert.equal(payload.event_type, 'incident_requested');
    assert.deepEqual(payload.incident.details, { host: 'db-1' });
    assert.equal(payload.incident.service.name, 'Shop');
    assert.equal(payload.incident.url, 'https://pager.test/incidents/1');
    assert.equal(received.body.includes('secret'), false, 'addresses in the steps stay at home');
    assert.deepEqual(await textsOf(calls, 'notice_sent'), [
      'The webhook Status page was called and answered 204',
    ]);
  },

  async 'of an incident that a person opened the receiver gets no integration'(calls) {
    await using webhookServer = await startWebhookServer((_, response) => response.end());
    const hook = await calls.webhook({ url: webhookServer.url });
    const body = { title: 'Checkout is slow', service_id: calls.integration.serviceId };
    const opened = await calls.api.send(calls.key, 'POST /incidents', { body });
    await calls.call(opened.body.id, hook);
    await calls.send();
    const payload = JSON.parse(only(webhookServer.received).body);
    assert.ok(isPayload(payload), JSON.stringify(isPayload.errors));
    const { service, integration, dedup_key, id } = payload.incident;
    assert.deepEqual([service.name, integration, dedup_key], ['Shop', undefined, id]);
  },

  async 'url-encoded is a form with bracketed names'(calls) {
    await using webhookServer = await startWebhookServer((_, response) => response.end());
    const hook = await calls.webhook({ url: webhookServer.url, content_type: 'url-encoded' });
    await calls.call(await calls.trigger('disk & full'), hook);
    await calls.send();
    const received = only(webhookServer.received);
    assert.equal(received.headers['content-type'], 'application/x-www-form-urlencoded');
    verify(received, await calls.secretOf(hook));
    const { incident } = parseForm(received.body) as { incident: Record<string, unknown> };
    assert.deepEqual([incident['title'], incident['details']], ['disk & full', { host: 'db-1' }]);
  },

  async '2.5.2 GET and PUT carry no incident'(calls) {
    await using webhookServer = await startWebhookServer((_, response) => response.end());
    const incident = await calls.trigger('disk full');
    for (const method of ['GET', 'PUT']) {
      const headers = { 'x-own': method };
      const hook = await calls.webhook({ url: `${webhookServer.url}/?q=1`, method, headers });
      await calls.call(incident, hook);
    }
    await calls.send();
    const got = webhookServer.received.map(({ method, path, body, headers }) => [
      ...[method, path, body, headers['x-own'], headers['content-type']],
    ]);
    assert.deepEqual(got.sort(), [
      ['GET', '/?q=1', '', 'GET', undefined],
      ['PUT', '/?q=1', '', 'PUT', undefined],
    ]);
  },

  async 'a retry has the same id and bytes, whatever became of the incident'(calls) {
    let failures = 1;
    await using webhookServer = await startWebhookServer((_, response) => {
      response.writeHead(failures-- > 0 ? 503 : 200).end();
    });
    const { api, key } = calls;
    const hook = await calls.webhook({ url: webhookServer.url });
    const incident = await calls.trigger('disk full');
    await calls.call(incident, hook);
    await calls.send();
    await api.send(key, `POST /incidents/${incident}/priority`, { body: { priority: 'p1' } });
    await api.send(key, `POST /incidents/${incident}/resolve`);
    await api.send(key, `PATCH /outbound-webhooks/${hook}`, {
      body: { content_type: 'url-encoded' },
    });
    calls.at(1);
    await calls.send();
    const [first, again] = webhookServer.received;
    assert.ok(first && again);
    assert.equal(again.body, first.body);
    for (const name of ['webhook-id', 'content-type'])
      assert.equal(again.headers[name], first.headers[name], name);
    verify(again, await calls.secretOf(hook));
    assert.deepEqual(await textsOf(calls, 'notice_retry'), [
      'The webhook Status page failed and is retried: answered 503',
    ]);
  },

  async 'what is asked for again has the id and bytes of before, and the headers of now'(calls) {
    await using webhookServer = await startWebhookServer((_, response) =>
      response.writeHead(410).end('gone'),
    );
    const { api, key } = calls;
    const hook = await calls.webhook({
      url: `${webhookServer.url}/old`,
      headers: { 'x-own': '1' },
    });
    await calls.call(await calls.trigger('disk full'), hook);
    await calls.send();
    const original = only(await calls.deliveries(hook));
    const path = `/outbound-webhooks/${hook}`;
    const change = { headers: { 'x-own': '2' }, url: `${webhookServer.url}/new` };
    await api.send(key, `PATCH ${path}`, { body: change });
    for (const minute of [1, 2]) {
      calls.at(minute);
      const line = `POST ${path}/deliveries/${original.id}/redeliver`;
      const { status, body } = await api.send(key, line);
      assert.deepEqual([status, body.state, body.redelivery_of], [202, 'pending', original.id]);
      await calls.send();
    }
    const [first, ...again] = webhookServer.received;
    assert.equal(again.length, 2);
    for (const one of again) {
      assert.equal(one.headers['webhook-id'], first?.headers['webhook-id']);
      assert.equal(one.body, first?.body);
      assert.deepEqual([one.path, one.headers['x-own']], ['/new', '2']);
    }
    const [last, , old] = await calls.deliveries(hook);
    assert.deepEqual(last.tries[0].headers, { 'x-own': '2' });
    assert.deepEqual(
      [old.tries[0].url, old.tries[0].headers],
      [`${webhookServer.url}/old`, { 'x-own': '1' }],
    );
    assert.deepEqual(
      [old.state, old.tries[0].status, old.tries[0].answer],
      ['failed', 410, 'gone'],
    );
  },

  async 'first tries about one incident leave in their order, and a retry holds nothing up'(calls) {
    let failures = 1;
    await using webhookServer = await startWebhookServer((_, response) => {
      response.writeHead(failures-- > 0 ? 500 : 200).end();
    });
    const hook = await calls.webhook({ url: webhookServer.url });
    const incident = await calls.trigger('disk full');
    for (const minute of [0, 1, 2]) {
      calls.at(minute);
      await calls.call(incident, hook);
    }
    await calls.send();
    const ids = webhookServer.received.map(({ headers }) => String(headers['webhook-id']));
    assert.equal(new Set(ids).size, 3);
    assert.deepEqual(ids, [...ids].sort());
    calls.at(3);
    await calls.send();
    assert.equal(webhookServer.received.at(-1)?.headers['webhook-id'], ids[0]);
  },

  async 'a webhook that was archived meanwhile is not called, which the timeline says'(calls) {
    await using webhookServer = await startWebhookServer((_, response) => response.end());
    const hook = await calls.webhook({ url: webhookServer.url });
    const incident = await calls.trigger('disk full');
    await calls.call(incident, hook);
    await calls.api.send(calls.key, `DELETE /outbound-webhooks/${hook}`);
    await calls.send();
    assert.equal(webhookServer.received.length, 0);
    const reason = 'the webhook is archived';
    const { state, reason: why, tries } = only(await calls.deliveries(hook));
    assert.deepEqual([state, why, tries], ['cancelled', reason, []]);
    assert.deepEqual(await textsOf(calls, 'notice_cancelled'), [
      `The webhook Status page was not called: ${reason}`,
    ]);
    const again = await calls.api.send(calls.key, `POST /outbound-webhooks/${hook}/test`);
    assert.equal(again.body.error, 'archived');
  },

  async 'a test tells of an incident that never was, through the same outbox'(calls) {
    await using webhookServer = await startWebhookServer((_, response) => response.end('ok'));
    const hook = await calls.webhook({ url: webhookServer.url });
    const path = `/outbound-webhooks/${hook}`;
    const { status, body } = await calls.api.send(calls.key, `POST ${path}/test`);
    assert.deepEqual([status, body.state, body.test, body.tries], [202, 'pending', true, []]);
    await calls.send();
    const received = only(webhookServer.received);
    verify(received, await calls.secretOf(hook));
    const payload: { test?: boolean } = JSON.parse(received.body);
    assert.equal(payload.test, true);
    assert.ok(isPayload(payload), JSON.stringify(isPayload.errors));
    const after = await calls.api.send(calls.key, `GET ${path}/deliveries/${body.id}`);
    assert.equal(after.body.state, 'sent');
    assert.deepEqual(after.body.content, { type: 'application/json', body: received.body });
  },
};

for (const server of await databases())
  describe(server.name, () => {
    for (const [title, claims] of Object.entries(suite))
      test(title, async () => {
        await using calls = await startWebhookCalls(server);
        await claims(calls);
        assert.deepEqual(await calls.findings(), []);
      });
  });

test('another program, with the library of Standard Webhooks, verifies every call', async () => {
  const [server] = await databases();
  assert.ok(server);
  await using calls = await startWebhookCalls(server);
  const hook = await calls.webhook({ url: 'http://127.0.0.1:1/' });
  const script = join(import.meta.dirname, 'verifying-receiver.mjs');
  const webhookServer = spawn(process.execPath, [script, await calls.secretOf(hook)]);
  try {
    const lines = createInterface(webhookServer.stdout)[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await lines.next()).value ?? '{}');
    const { port } = await next();
    const { api, key } = calls;
    const at = { url: `http://127.0.0.1:${port}/` };
    await api.send(key, `PATCH /outbound-webhooks/${hook}`, { body: at });
    await calls.call(await calls.trigger('disk full'), hook);
    await calls.send();
    const got = await next();
    assert.equal(got.verified, true);
    assert.equal(JSON.parse(got.body).incident.title, 'disk full');
    assert.equal(only(await calls.deliveries(hook)).tries[0].status, 204);
  } finally {
    webhookServer.kill();
  }
});
