import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { systemClock } from '../../engine/clock.ts';
import { httpLimits } from '../../limits/http.ts';
import type { CallbackReader } from '../../replies/callback.ts';
import type { Reply } from '../../replies/inbound.ts';
import type { CalledConnection } from '../../storage/connections/open-connections.ts';
import { errorAnswer } from '../http/error-answer.ts';
import { mountCallbacks } from './callbacks.ts';
import { createForgeries } from './forgeries.ts';

/** By their digit, the organizations of connections. */
const idOf = (organization: number) => String(organization).repeat(24);

const connectionOf = (id: string): CalledConnection => ({
  organization_id: `organization ${id[0]}`,
  id,
  name: 'A number',
  vendor: 'any',
  settings: {},
  secrets: {},
  replacedSecrets: {},
});

/** A body is the number of presses in it, and perhaps `later`. */
const reader = (respond: () => Promise<null>): CallbackReader<CalledConnection> => ({
  read({ body }) {
    const [count, later] = body.toString().trim().split(' ');
    const inbounds = Array.from({ length: Number(count) }, (_, nth) => ({
      type: 'press' as const,
      address: 'ada',
      handle: String(nth),
    }));
    return later ? { inbounds, isDeferred: true } : { inbounds };
  },
  answer: () => ({ status: 200, contentType: 'text/plain', body: 'ok' }),
  respond,
});

function start(stack: AsyncDisposableStack) {
  const app = Fastify();
  app.setErrorHandler((error, request, reply) => {
    const { status, headers, body } = errorAnswer(error, request.id);
    return reply.code(status).headers(headers).send(body);
  });
  stack.defer(() => app.close());
  const waiting: { readonly organization: string; readonly done: (reply: Reply) => void }[] = [];
  const replies: (() => void)[] = [];
  const refusals: string[] = [];
  mountCallbacks(app, {
    publicUrl: 'https://pager.test',
    readers: new Map([
      ['any', reader(() => new Promise((done) => replies.push(() => done(null))))],
    ]),
    find: async (id) => connectionOf(id),
    receive: ({ connection }) =>
      new Promise((done) => waiting.push({ organization: connection.organization_id, done })),
    failed: (_connection, error) => assert.fail(String(error)),
    refused: (_connection, reason) => void refusals.push(reason),
    forgeries: createForgeries(systemClock),
  });
  const call = (organization: number, payload: string) =>
    app.inject({
      method: 'POST',
      url: `/callbacks/whatsapp/${idOf(organization)}`,
      headers: { 'content-type': 'text/plain' },
      payload,
    });
  const calls = (count: number, organization: number, payload: string) =>
    Array.from({ length: count }, () => call(organization, payload));
  const handledOf = (organization: number) =>
    waiting.filter((one) => one.organization === `organization ${organization}`).length;
  /** Has everything done that waits, and that comes after it. */
  async function finish() {
    for (let idle = 0; idle < 3; idle += 1) {
      if (waiting.length + replies.length > 0) idle = 0;
      for (const { done } of waiting.splice(0)) done(null);
      for (const done of replies.splice(0)) done();
      await settled();
    }
  }
  return { call, calls, handledOf, finish, waiting, refusals };
}

const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => setImmediate(done));
};

const statusesOf = async (calls: readonly Promise<{ readonly statusCode: number }>[]) =>
  [...new Set((await Promise.all(calls)).map(({ statusCode }) => statusCode))].sort();

for (const later of ['', ' later'])
  test(`a few presses of an organization are handled at once, and all of 30 are handled${later}`, async () => {
    await using stack = new AsyncDisposableStack();
    const { calls, handledOf, finish, waiting } = start(stack);
    const burst = calls(30, 1, `1${later}`);
    await settled();
    assert.equal(handledOf(1), httpLimits.callbacksHandled);
    const other = calls(1, 2, `1${later}`);
    await settled();
    assert.equal(handledOf(2), 1, 'another organization waits for none of them');
    await finish();
    assert.deepEqual(await statusesOf([...burst, ...other]), [200]);
    assert.deepEqual(waiting, []);
  });

test('a request with many messages holds up no other of its organization', async () => {
  await using stack = new AsyncDisposableStack();
  const { calls, finish, waiting } = start(stack);
  const many = calls(httpLimits.callbacksHandled, 1, '100');
  await settled();
  const press = calls(1, 1, '1');
  await settled();
  for (const { done } of waiting.splice(0)) done(null);
  await settled();
  for (const { done } of waiting.splice(0)) done(null);
  await settled();
  const first = await Promise.race([...many, ...press]);
  assert.equal(first, await press[0]);
  await finish();
  await Promise.all(many);
});

for (const later of ['', ' later'])
  test(`an organization with too much in progress gets 503 until replies are sent, and others do not${later}`, async () => {
    await using stack = new AsyncDisposableStack();
    const { call, calls, finish, refusals } = start(stack);
    const room = Math.floor(httpLimits.callbacks / 2);
    const burst = calls(room, 1, `1${later}`);
    await settled();
    const refused = await call(1, `1${later}`);
    assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [503, '1']);
    assert.match(refusals[0] ?? '', /^Too many requests for this organization/);
    const other = calls(30, 2, `1${later}`);
    await settled();
    await finish();
    assert.deepEqual(await statusesOf([...burst, ...other]), [200]);
    const again = calls(room, 1, `1${later}`);
    await settled();
    await finish();
    assert.deepEqual(await statusesOf(again), [200], 'every place is free again');
  });

test('bodies count, too', async () => {
  await using stack = new AsyncDisposableStack();
  const { call, calls, finish } = start(stack);
  const body = '1'.padEnd(httpLimits.callbackBody, ' ');
  const burst = calls(httpLimits.callbackBytes / httpLimits.callbackBody / 2, 1, body);
  await settled();
  assert.equal((await call(1, body)).statusCode, 503);
  await finish();
  assert.deepEqual(await statusesOf(burst), [200]);
});
