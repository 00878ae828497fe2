import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startWebhookServer } from '../../../test/webhook-server.ts';
import { createBrowserClient } from '../../client/browser.ts';
import { sendEarly, takeEarly } from './early.ts';

let server: Awaited<ReturnType<typeof startWebhookServer>>;
before(async () => {
  server = await startWebhookServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"data":[]}');
  });
  // As in a page of that server.
  Object.assign(globalThis, { location: { origin: server.url } });
});
after(() => server[Symbol.asyncDispose]());

const sent = () => server.received.splice(0).map(({ method, path }) => `${method} ${path}`);

test('the client takes what was sent early, once and for the same address alone', async () => {
  const { client } = createBrowserClient({
    origin: server.url,
    signedOut() {},
    early: takeEarly,
  });
  const read = { method: 'GET', path: '/incidents', query: { status: 'open' } } as const;
  await sendEarly('/api/v1/incidents', read.query);
  assert.deepEqual(sent(), ['GET /api/v1/incidents?status=open']);
  const first = await client.send(read);
  assert.deepEqual(first.ok && first.body, { data: [] });
  assert.deepEqual(sent(), []);
  await client.send(read);
  assert.deepEqual(sent(), ['GET /api/v1/incidents?status=open']);
  await sendEarly('/api/v1/incidents', read.query);
  sent();
  await client.send({ method: 'GET', path: '/incidents' });
  assert.deepEqual(sent(), ['GET /api/v1/incidents']);
});

test('what is under way is waited for; what was answered long ago is sent again', async (t) => {
  const url = new URL('/api/v1/attention', server.url);
  const answer = sendEarly('/api/v1/attention');
  const now = performance.now();
  t.mock.method(performance, 'now', () => now + 60_000);
  assert.equal(takeEarly(url), answer);
  t.mock.restoreAll();
  await sendEarly('/api/v1/attention');
  const later = performance.now() + 5_000;
  t.mock.method(performance, 'now', () => later);
  assert.equal(takeEarly(url), undefined);
});
