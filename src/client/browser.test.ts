import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { startWebhookServer } from '../../test/webhook-server.ts';
import { createBrowserClient } from './browser.ts';

type Reply = { readonly status: number; readonly body: object };

const user = {
  id: 'a',
  first_name: 'Ada',
  last_name: 'B',
  email: 'ada@example.test',
  role: 'owner',
};
const refusal = (status: number, error: string): Reply => ({
  status,
  body: { error, message: 'No.', issues: [], request_id: 'r1' },
});
const fine: Reply = { status: 200, body: { id: '1' } };

/** A server whose session has a token that the test can change, and a client of it. */
async function startServer(answer: (request: IncomingMessage) => Reply = () => fine) {
  const state = { token: 't1', user, signedOut: 0 };
  const server = await startWebhookServer((request, response) => {
    const { method, url, headers } = request;
    const isStale = method !== 'GET' && headers['x-csrf-token'] !== state.token;
    const session: Reply = { status: 200, body: { user: state.user, csrf_token: state.token } };
    const reply =
      url === '/auth/session' ? session : isStale ? refusal(403, 'csrf') : answer(request);
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply.body));
  });
  const browser = createBrowserClient({
    origin: server.url,
    signedOut: () => {
      state.signedOut += 1;
    },
    wait: async () => {},
  });
  const sent = () => server.received.map(({ method, path }) => `${method} ${path}`);
  return { ...browser, state, sent, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const write = { method: 'POST', path: '/incidents/1/acknowledge', body: {} } as const;

test('a write carries the token of the session, which is read once', async () => {
  await using at = await startServer();
  const session = await at.session();
  assert.deepEqual(session, { ok: true, value: { user } });
  assert.equal((await at.client.send(write)).ok, true);
  assert.equal((await at.client.send(write)).ok, true);
  const posted = 'POST /api/v1/incidents/1/acknowledge';
  assert.deepEqual(at.sent(), ['GET /auth/session', posted, posted]);
});

test('a write before the session is known reads the token first', async () => {
  await using at = await startServer();
  assert.equal((await at.client.send(write)).ok, true);
  assert.deepEqual(at.sent(), ['GET /auth/session', 'POST /api/v1/incidents/1/acknowledge']);
});

test('a token that has changed is read anew, once for each write', async () => {
  await using at = await startServer((request) =>
    request.headers['x-csrf-token'] === 't3' ? refusal(403, 'csrf') : fine,
  );
  await at.session();
  at.state.token = 't2';
  assert.equal((await at.client.send(write)).ok, true);
  at.state.token = 't3';
  const refused = await at.client.send(write);
  assert.ok(!refused.ok && refused.failure.type === 'refused' && refused.failure.code === 'csrf');
  assert.equal(at.sent().filter((one) => one === 'GET /auth/session').length, 3);
});

test('nothing is sent as somebody else who has signed in meanwhile', async () => {
  await using at = await startServer();
  await at.session();
  Object.assign(at.state, { token: 't2', user: { ...user, id: 'b' } });
  const posted = 'POST /api/v1/incidents/1/acknowledge';
  const refused = await at.client.send(write);
  assert.ok(!refused.ok && refused.failure.type === 'refused' && refused.failure.code === 'csrf');
  assert.equal(at.state.signedOut, 1);
  const session = await at.session();
  assert.equal(session.ok && session.value.user.id, 'b');
  assert.equal((await at.client.send(write)).ok, false);
  assert.equal(at.sent().filter((one) => one === posted).length, 2);
});

test('a request without a session says so to the page, and fails', async () => {
  await using at = await startServer(() => refusal(401, 'unauthorized'));
  const answer = await at.client.send({ method: 'GET', path: '/incidents' });
  assert.ok(!answer.ok && answer.failure.type === 'refused' && answer.failure.status === 401);
  assert.equal(at.state.signedOut, 1);
});

test('a read that finds no server is tried again, and tells what is the matter', async () => {
  const at = await startServer();
  await at[Symbol.asyncDispose]();
  const answer = await at.client.send({ method: 'GET', path: '/incidents' });
  assert.ok(!answer.ok && answer.failure.type === 'unreachable');
  assert.equal(answer.failure.why, 'the connection failed');
});

test('signing out is a write', async () => {
  await using at = await startServer();
  assert.deepEqual(await at.signOut(), { ok: true, value: null });
  assert.deepEqual(at.sent(), ['GET /auth/session', 'POST /auth/sign-out']);
});
