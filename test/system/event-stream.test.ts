// The event stream as its readers have it: over the network, from a server with its database.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventStreamLimits } from '../../src/limits/event-stream.ts';
import { anyDatabase, testDatabase } from '../database.ts';
import { postJson, request } from './api-client.ts';
import { openStream, requestStream, type StreamReader } from './event-stream.ts';
import { eventually } from './eventually.ts';
import { type InProcess, inProcessKey, startInProcess } from './in-process.ts';
import { createInstallation } from './server-process.ts';

const secretKey = 'k'.repeat(40);
const password = 'a password of the owner';

async function start(settings: Record<string, string> = {}): Promise<InProcess> {
  return startInProcess(await anyDatabase(), {
    PAGER_SECRET_KEY: secretKey,
    PAGER_BOOTSTRAP_PASSWORD: password,
    ...settings,
  });
}

/** Opened, and past the event that every stream begins with. */
async function follow(url: string, opening: Parameters<typeof openStream>[1] = {}) {
  const reader = await openStream(url, opening);
  const first = await reader.next();
  assert.deepEqual([first?.event, first?.data], ['reset', {}]);
  return reader;
}

/** The first hint of that type; others come before it as they please. */
async function hintOf(reader: StreamReader, type: string) {
  for (;;) {
    const event = await reader.next();
    assert.ok(event, 'the stream ended');
    if (event.event === 'hint' && event.data.type === type) return event;
  }
}

async function alertOf({ url, api }: InProcess, title: string): Promise<number> {
  const [integration] = await api.list('integrations');
  const path = new URL(integration.webhook_url).pathname;
  const { body } = await postJson(`${url}${path}push-events`, { title });
  return body.alerts[0].incident;
}

async function keyFor({ api }: InProcess, fields: object) {
  return api.create('api-keys', { name: 'A reader', role: 'viewer', ...fields });
}

test('what changes is told without its content, to whoever listens', async () => {
  await using pager = await start();
  await using reader = await follow(pager.url);
  assert.equal(reader.headers.get('content-type'), 'text/event-stream');
  assert.equal(reader.headers.get('x-accel-buffering'), 'no');
  assert.equal(reader.headers.get('cache-control'), 'no-store');
  const [{ id: team_id }] = await pager.api.list('teams');
  const service = await pager.api.create('services', { name: 'Secret name', team_id });
  const { data } = await hintOf(reader, 'service');
  assert.deepEqual(data, { type: 'service', id: service.id, team_id, version: service.version });
  const number = await alertOf(pager, 'a title that nobody else reads');
  const { body: incident } = await pager.api.send(`GET /incidents/${number}`);
  const opened = await hintOf(reader, 'incident');
  assert.equal(opened.data.id, incident.id);
  assert.equal(opened.data.team_id, incident.team_id);
  await pager.api.send(`POST /incidents/${number}/note`, { text: 'a note' });
  const changed = await hintOf(reader, 'incident');
  assert.ok(changed.data.version > opened.data.version);
});

test('a stream goes on after the event that its reader names, and says when it cannot', async () => {
  await using pager = await start();
  const [{ id: team_id }] = await pager.api.list('teams');
  const first = await follow(pager.url);
  await pager.api.create('services', { name: 'One', team_id });
  const seen = await hintOf(first, 'service');
  await first[Symbol.asyncDispose]();
  const missed = await pager.api.create('services', { name: 'Two', team_id });
  await using again = await openStream(pager.url, { headers: { 'last-event-id': seen.id } });
  assert.equal((await again.next())?.data.id, missed.id);
  for (const unknown of ['x', '-1', `${seen.id}9999`, `0${seen.id}`]) {
    const headers = { 'last-event-id': unknown };
    await using other = await openStream(pager.url, { headers });
    assert.equal((await other.next())?.event, 'reset', unknown);
  }
});

test('nobody is told of other organisations, nor of teams that are not theirs', async () => {
  await using pager = await start();
  const inside = await pager.api.create('teams', { name: 'Inside' });
  const [{ id: outside }] = (await pager.api.list('teams')).filter(({ id }) => id !== inside.id);
  const { key } = await keyFor(pager, { team_ids: [inside.id] });
  await using confined = await follow(pager.url, { key });
  await using whole = await follow(pager.url);
  await pager.api.create('services', { name: 'Outside', team_id: outside });
  await alertOf(pager, 'outside');
  const own = await pager.api.create('services', { name: 'Inside', team_id: inside.id });
  await hintOf(whole, 'incident');
  const event = await confined.next();
  assert.equal(event?.data.id, own.id);
});

test('another server’s changes are told too', async () => {
  const server = await anyDatabase();
  await using database = await testDatabase({ server, migrations: 'none' });
  const shared = { PAGER_DATABASE_URL: database.url };
  await using one = await start(shared);
  await using two = await start(shared);
  await using reader = await follow(two.url);
  const [{ id: team_id }] = await one.api.list('teams');
  const { id } = await one.api.create('services', { name: 'Elsewhere', team_id });
  assert.equal((await hintOf(reader, 'service')).data.id, id);
  const number = await alertOf(one, 'elsewhere');
  const { body: incident } = await one.api.send(`GET /incidents/${number}`);
  assert.equal((await hintOf(reader, 'incident')).data.id, incident.id);
});

test('more changes at once than are told singly are one reset', async () => {
  await using pager = await start();
  await using reader = await follow(pager.url);
  const [{ id: team_id }] = await pager.api.list('teams');
  const service = await pager.api.create('services', { name: 'There', team_id });
  assert.equal((await hintOf(reader, 'service')).data.id, service.id);
  await pager.sql`
    insert into services (organization_id, id, team_id, counter, name, version, created_at, updated_at)
    select s.organization_id, lpad(n::text, 24, 'a'), s.team_id, 1000 + n, 'Many', 1, now(), now()
    from services s, generate_series(1, ${eventStreamLimits.hints + 1}) n where s.id = ${service.id}`;
  assert.equal((await reader.next())?.event, 'reset');
  await pager.pass({ minutes: 1 });
  const later = await pager.api.create('services', { name: 'Later', team_id });
  let event = await reader.next();
  while (event?.data.id !== later.id) event = await reader.next();
});

test('a stream ends with the key or the session of its reader, and with their role', async () => {
  await using pager = await start();
  const { key, id } = await keyFor(pager, {});
  await using ofKey = await follow(pager.url, { key });
  await pager.api.send(`DELETE /api-keys/${id}`);
  while ((await ofKey.next()) !== null);
  assert.equal((await requestStream(pager.url, { key })).status, 401);

  const person = { first_name: 'Lin', last_name: 'Wu', email: 'lin@example.test', role: 'viewer' };
  const { id: other } = await pager.api.create('users', person);
  await pager.sql`update users set role = 'owner' where id = ${other}`;
  const [{ id: user }] = await pager.api.list('users');
  await using signedIn = await signIn(pager);
  await using ofSession = await follow(pager.url, { headers: { cookie: signedIn.cookie } });
  await pager.api.send(`PATCH /users/${user}`, { role: 'responder' });
  while ((await ofSession.next()) !== null);
  await using anew = await follow(pager.url, { headers: { cookie: signedIn.cookie } });
  await signedIn[Symbol.asyncDispose]();
  while ((await anew.next()) !== null);
});

async function signIn({ url }: InProcess) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email: 'owner@example.test', password });
  const answer = await fetch(`${url}/auth/sign-in`, { method: 'POST', headers, body });
  assert.equal(answer.status, 200);
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const { csrf_token } = (await answer.json()) as { csrf_token: string };
  return {
    cookie,
    async [Symbol.asyncDispose]() {
      await fetch(`${url}/auth/sign-out`, {
        method: 'POST',
        headers: { ...headers, cookie, origin: url, 'x-csrf-token': csrf_token },
        body: '{}',
      });
    },
  };
}

test('a quiet stream has heartbeats, and ends after its time', async () => {
  await using pager = await start();
  await using reader = await follow(pager.url);
  await pager.pass({ minutes: 1 });
  assert.equal((await reader.next())?.event, 'heartbeat');
  await pager.pass({ minutes: eventStreamLimits.time });
  while ((await reader.next()) !== null);
});

test('one key has three streams, and room again when one of them ends', async () => {
  await using pager = await start();
  await using stack = new AsyncDisposableStack();
  const readers = [];
  for (let each = 0; each < eventStreamLimits.streamsOfOne; each += 1)
    readers.push(stack.use(await follow(pager.url)));
  const refused = await requestStream(pager.url);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  const { key } = await keyFor(pager, {});
  stack.use(await follow(pager.url, { key }));
  await readers[0]?.[Symbol.asyncDispose]();
  await eventually('there is room', async () => {
    const answer = await requestStream(pager.url, {}, AbortSignal.timeout(10_000));
    await answer.body?.cancel();
    return answer.status === 200;
  });
  assert.equal((await request(`${pager.url}/metrics`)).body.includes('pager_event_streams '), true);
});

test('a stop ends the streams, and waits for none', async () => {
  await using installation = await createInstallation({ PAGER_BOOTSTRAP_API_KEY: inProcessKey });
  const server = await installation.start();
  await using reader = await follow(server.url);
  const stopped = server.stop();
  while ((await reader.next()) !== null);
  assert.equal(await stopped, 0, server.output());
});
