import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApi, testSecrets } from '../../test/api.ts';
import { anyDatabase, testDatabase } from '../../test/database.ts';
import { givenOrganization } from '../../test/world.ts';
import { createIdempotentAnswers } from '../storage/idempotent-answers.ts';
import { notFound } from './failures.ts';
import { ok, type Route } from './route.ts';

const server = await anyDatabase();

/** A route whose work the test ends, and a clock that the test moves. */
async function setting() {
  const stack = new AsyncDisposableStack();
  const { sql } = stack.use(await testDatabase({ server }));
  const time = { now: Temporal.Instant.from('2026-03-01T12:00:00Z') };
  const work = { runs: 0, run: async (): Promise<unknown> => ({ run: work.runs }) };
  const route: Route = {
    ...{ method: 'POST', path: '/work/:id', tag: 't', doc: '', role: 'viewer' },
    async handle() {
      work.runs += 1;
      return ok(await work.run(), 201);
    },
  };
  const clock = { now: () => time.now };
  const api = stack.use(await testApi({ sql, clock, routes: [route] }));
  const world = await givenOrganization(sql);
  const key = world.caller();
  const send = (said: { caller?: typeof key; path?: string; body?: object; key?: string } = {}) =>
    api.send(said.caller ?? key, `POST /work/${said.path ?? '1'}`, {
      body: said.body ?? { a: 1 },
      headers: { 'idempotency-key': said.key ?? 'k' },
    });
  return { ...{ sql, time, work, world, send }, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test('the same request runs once for a day and gets the first answer', async () => {
  await using at = await setting();
  const first = await at.send();
  assert.deepEqual([first.status, first.body], [201, { run: 1 }]);
  at.time.now = at.time.now.add({ hours: 23, minutes: 59 });
  const again = await at.send();
  assert.deepEqual([again.status, again.body], [201, { run: 1 }]);
  at.time.now = at.time.now.add({ minutes: 1 });
  assert.deepEqual((await at.send()).body, { run: 2 });
  const [row] = await at.sql`select answer_encrypted from idempotent_answers`;
  assert.match(row?.['answer_encrypted'], /^v1:/);
});

test('another body is refused; another route, key or caller is another request', async () => {
  await using at = await setting();
  await at.send();
  const other = await at.send({ body: { a: 2 } });
  assert.deepEqual([other.status, other.body.error], [409, 'idempotency_mismatch']);
  assert.deepEqual((await at.send({ path: '2', body: { a: 2 } })).body, { run: 2 });
  assert.deepEqual((await at.send({ key: 'other' })).body, { run: 3 });
  assert.deepEqual((await at.send({ caller: at.world.caller() })).body, { run: 4 });
  assert.equal((await at.send({ key: 'ä' })).status, 400);
});

test('while the first runs a second is told to wait, but not for ever', async () => {
  await using at = await setting();
  const gate = Promise.withResolvers<unknown>();
  const started = Promise.withResolvers<void>();
  at.work.run = () => {
    started.resolve();
    return gate.promise;
  };
  const first = at.send();
  await started.promise;
  const second = await at.send();
  assert.deepEqual([second.status, second.body.error], [409, 'idempotency_running']);
  assert.equal(second.headers['retry-after'], '1');
  at.time.now = at.time.now.add({ seconds: 60 });
  at.work.run = async () => ({ run: 'second' });
  assert.deepEqual((await at.send()).body, { run: 'second' });
  gate.resolve({ run: 'first' });
  await first;
  assert.deepEqual((await at.send()).body, { run: 'second' });
});

test('what was refused may be tried again with the same key', async () => {
  await using at = await setting();
  at.work.run = async () => {
    throw notFound();
  };
  assert.equal((await at.send()).status, 404);
  at.work.run = async () => ({ fine: true });
  assert.deepEqual((await at.send()).body, { fine: true });
});

test('of many at once exactly one runs', async () => {
  await using at = await setting();
  const all = await Promise.all(Array.from({ length: 10 }, () => at.send()));
  assert.equal(at.work.runs, 1);
  for (const { status } of all) assert.ok(status === 201 || status === 409);
});

test('answers older than a day are purged', async () => {
  await using at = await setting();
  const answers = createIdempotentAnswers(at.sql, testSecrets);
  await at.send();
  assert.equal(await answers.purge(at.time.now.add({ hours: 24 })), 0);
  assert.equal(await answers.purge(at.time.now.add({ hours: 24, seconds: 1 })), 1);
});
