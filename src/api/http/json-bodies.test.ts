import assert from 'node:assert/strict';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { testApi } from '../../../test/api.ts';
import { computed } from '../../../test/compute.ts';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { seedOrganization } from '../../../test/world.ts';
import { escalationPolicy } from '../../resources/escalation-policy.ts';
import { service } from '../../resources/service.ts';
import { bodyBytesMax } from './json-bodies.ts';

const MEBIBYTE = 1024 * 1024;

async function setting() {
  const stack = new AsyncDisposableStack();
  const { sql } = stack.use(await testDatabase({ server: await anyDatabase() }));
  const api = stack.use(await testApi({ sql }));
  const world = await seedOrganization(sql);
  const key = world.caller();
  return { api, key, world, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test('a route takes as much as its record can hold, and says so', () => {
  const bytes = bodyBytesMax({ body: service.input });
  assert.ok(bytes > 2 * 10_000 && bytes < MEBIBYTE, String(bytes));
  assert.equal(bodyBytesMax({ body: escalationPolicy.input }), 16 * MEBIBYTE);
  assert.equal(bodyBytesMax({}), 64 * 1024);
});

test('a large body of nothing but mistakes is read in a thread, and not here', async () => {
  await using at = await setting();
  const fields = Array.from({ length: 200_000 }, (_, index) => `"field${index}":1`);
  const before = computed().length;
  const answer = await at.api.send(at.key, 'POST /escalation-policies', {
    body: `{${fields.join(',')}}`,
  });
  assert.deepEqual([answer.status, answer.body.error], [422, 'validation_failed']);
  assert.equal(answer.body.issues.length, 101);
  assert.deepEqual(computed().slice(before), ['body']);
});

test('a large record is read in a thread, written whole or in part, and known again', async () => {
  await using at = await setting();
  const target = { via: 'slack', webhook_url: 'https://chat.test/hook', channel_id: null };
  const steps = (count: number) =>
    Array.from({ length: count }, () => ({
      targets: new Array(500).fill(target),
      escalate_after_minutes: 5,
    }));
  const before = computed().length;
  const send = (request: string, body: object, headers = {}) =>
    at.api.send(at.key, request, { body, headers });
  const first = { 'idempotency-key': 'first' };
  const made = await send('POST /escalation-policies', { name: 'P', steps: steps(4) }, first);
  const again = await send('POST /escalation-policies', { name: 'P', steps: steps(4) }, first);
  assert.deepEqual([made.status, again.status, again.body.id], [201, 201, made.body.id]);
  const other = await send('POST /escalation-policies', { name: 'Q', steps: steps(4) }, first);
  assert.equal(other.body.error, 'idempotency_mismatch');
  const { id } = made.body;
  const put = await send(`PUT /escalation-policies/${id}`, { name: 'R', steps: steps(5) });
  const patched = await send(`PATCH /escalation-policies/${id}`, { steps: steps(6) });
  assert.deepEqual([put.body.steps.length, patched.body.steps.length], [5, 6]);
  assert.equal(patched.body.name, 'R');
  const read = await at.api.send(at.key, `GET /escalation-policies/${id}`);
  assert.deepEqual(read.body, patched.body);
  assert.equal('channel_id' in read.body.steps[0].targets[0], false);
  const wrong = [{ targets: steps(1)[0]?.targets }, ...steps(5)];
  const refused = await send(`PATCH /escalation-policies/${id}`, { steps: wrong });
  assert.deepEqual(
    refused.body.issues.map(({ path }: { path: string }) => path),
    ['steps[0].escalate_after_minutes'],
  );
  assert.deepEqual(computed().slice(before), new Array(6).fill('body'));
});

test('of many large bodies at once few are read, and small ones are answered meanwhile', async () => {
  await using at = await setting();
  const { app } = at.api;
  // Each by another key, for none may send so much at once.
  const keys = Array.from({ length: 12 }, () => at.world.caller());
  for (const key of keys) await at.api.send(key, 'GET /services');
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/api/v1/escalation-policies`;
  const half = Buffer.alloc(12 * MEBIBYTE, ' ');
  const agent = new Agent({ keepAlive: true });
  const sent = keys.map(({ id }) => {
    const headers = {
      'x-api-key': id,
      'content-type': 'application/json',
      'content-length': String(16 * MEBIBYTE),
    };
    const sending = httpRequest(url, { method: 'POST', headers, agent });
    const answered = Promise.withResolvers<IncomingMessage>();
    sending.on('response', answered.resolve).on('error', () => {});
    sending.write(half);
    return { sending, answered: answered.promise };
  });
  try {
    const refused = new Set<number>();
    const enough = Promise.withResolvers<void>();
    for (const [index, { answered }] of sent.entries())
      void answered
        .then(({ statusCode, headers: message }) => {
          assert.deepEqual([statusCode, message['retry-after']], [429, '1']);
          if (refused.add(index).size === 10) enough.resolve();
        })
        .catch(enough.reject);
    await enough.promise;
    const small = await at.api.send(at.key, 'POST /services', { body: { name: 'Shop' } });
    assert.equal(small.status, 201);
  } finally {
    agent.destroy();
  }
});
