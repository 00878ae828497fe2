import assert from 'node:assert/strict';
import { test } from 'node:test';
import postgres from 'postgres';
import { testApi } from '../../test/api.ts';
import { openComputer } from '../../test/compute.ts';
import { anyDatabase, testDatabase } from '../../test/database.ts';
import { seedOrganization } from '../../test/world.ts';
import { type Clock, systemClock } from '../engine/clock.ts';
import { anything } from '../resources/declaration/field.ts';
import type { Sql } from '../storage/database/database.ts';
import type { Compute } from './computing/computer.ts';
import { ok, type Route } from './route.ts';

const answers = { status: 200, schema: anything('Whatever it is.') };

const server = await anyDatabase();

type ApiOptions = {
  routes?: readonly Route[];
  requestBurst?: number;
  clock?: Clock;
  compute?: Compute;
};

async function setting(options: ApiOptions = {}) {
  const stack = new AsyncDisposableStack();
  const database = stack.use(await testDatabase({ server }));
  const api = stack.use(await testApi({ sql: database.sql, ...options }));
  const world = await seedOrganization(database.sql);
  const key = world.caller();
  return { api, key, sql: database.sql, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test('7.1 an unknown route is named', async () => {
  await using at = await setting();
  for (const [request, message] of [
    ['GET /on-calls/x/confi', 'Unknown route: GET /on-calls/x/confi'],
    ['POST /services/1/2?a=b', 'Unknown route: POST /services/1/2'],
    ['PROPFIND /service', 'Unknown route: PROPFIND /service'],
    ['GET ', 'Unknown route: GET /api/v1'],
  ] as const) {
    const answer = await at.api.send(at.key, request);
    assert.deepEqual(
      [answer.status, answer.body.error, answer.body.message],
      [404, 'unknown_route', message],
    );
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
  }
});

test('7.1 a method that a path does not take gets 405, and the methods that it takes', async () => {
  await using at = await setting();
  for (const [request, allow] of [
    ['POST /services/1?a=b', 'GET, HEAD, PUT, PATCH, DELETE'],
    ['PROPFIND /services', 'GET, HEAD, POST'],
    ['TRACE /services', 'GET, HEAD, POST'],
    ['OPTIONS /integrations/1/rotate-token', 'POST'],
    ['DELETE /users/me', 'GET, HEAD, PATCH, PUT'],
  ] as const) {
    const answer = await at.api.send(at.key, request);
    assert.deepEqual([answer.status, answer.body.error], [405, 'method_not_allowed'], request);
    const sorted = (text: unknown) => String(text).split(', ').sort();
    assert.deepEqual(sorted(answer.headers['allow']), sorted(allow), request);
    const [method] = request.split(' ');
    assert.match(answer.body.message, new RegExp(`does not support ${method}\\. Use `));
  }
});

test('bodies that are no good are refused with what is wrong, never with an error of ours', async () => {
  const handle = async () => ok({});
  const common = { tag: 'x', doc: 'X.', role: 'viewer', answers, handle } as const;
  const routes: readonly Route[] = [{ ...common, method: 'POST', path: '/elsewhere' }];
  await using at = await setting({ routes });
  const send = async (body: string, type = 'application/json') => {
    const headers = { 'content-type': type };
    const answer = await at.api.send(at.key, 'POST /services', { body, headers });
    return [answer.status, answer.body.error, answer.body.message];
  };
  assert.deepEqual(await send('{"name":\n  "x" oops}'), [
    400,
    'unreadable',
    'The body is not valid JSON: line 2, column 7.',
  ]);
  assert.deepEqual(await send('{"name":'), [
    400,
    'unreadable',
    'The body is not valid JSON: it ends too early.',
  ]);
  for (const open of ['[', '{"a":'])
    assert.equal((await send(open.repeat(40_000)))[2], 'The body is nested deeper than 64 levels.');
  assert.equal((await send(`{"name":"${'x'.repeat(17_000_000)}"}`))[1], 'too_large');
  const elsewhere = { body: `{"name":"${'x'.repeat(1_100_000)}"}` };
  const answer = await at.api.send(at.key, 'POST /elsewhere', elsewhere);
  assert.deepEqual(
    [answer.status, answer.body.message],
    [413, 'The body is larger than 65536 bytes.'],
  );
  assert.equal((await send('name=x', 'application/x-www-form-urlencoded'))[1], 'unsupported_type');
  for (const body of ['', 'null', '[]', '"text"', '1e999'])
    assert.equal((await send(body))[1], 'validation_failed', body);
  assert.equal((await send('{"name":"a\\u0000b"}'))[1], 'validation_failed');
  assert.equal((await send('{"__proto__":{"name":"x"}}'))[1], 'validation_failed');
});

test('addresses that are no good are never an error of ours', async () => {
  await using at = await setting();
  for (const path of [
    '%00',
    '%ff',
    '%',
    'a%2Fb',
    '..',
    '0',
    '99999999999',
    'x'.repeat(5_000),
    '1%00',
  ]) {
    const answer = await at.api.send(at.key, `GET /services/${path}`);
    assert.ok(answer.status >= 400 && answer.status < 500, `${path}: ${answer.status}`);
    assert.equal(typeof answer.body.request_id, 'string', path);
  }
});

test('who is not known gets 401, and request ids are echoed within bounds', async () => {
  await using at = await setting();
  const get = async (headers: Record<string, string>) =>
    at.api.app.inject({ url: '/api/v1/services', headers });
  const stranger = await get({ 'x-request-id': 'mine-1' });
  assert.deepEqual(
    [stranger.statusCode, stranger.json().error, stranger.json().request_id],
    [401, 'unauthorized', 'mine-1'],
  );
  assert.equal(stranger.headers['x-request-id'], 'mine-1');
  const long = await get({ 'x-request-id': 'x'.repeat(129) });
  assert.match(String(long.headers['x-request-id']), /^[0-9a-f]{24}$/);
});

test('a key that asks too often is told when to come back', async () => {
  const stopped = systemClock.now();
  await using at = await setting({ requestBurst: 3, clock: { now: () => stopped } });
  for (let each = 0; each < 3; each += 1)
    assert.equal((await at.api.send(at.key, 'GET /services')).status, 200);
  const { status, body, headers } = await at.api.send(at.key, 'GET /services');
  assert.deepEqual([status, body.error, headers['retry-after']], [429, 'rate_limited', '1']);
  const other = { ...at.key, id: 'other' };
  assert.equal((await at.api.send(other, 'GET /services')).status, 200);
});

test('the refusal of a hurried key is held back, the answers of others are not', async () => {
  const stopped = systemClock.now();
  await using at = await setting({ requestBurst: 1, clock: { now: () => stopped } });
  await at.api.send(at.key, 'GET /services');
  const answered: number[] = [];
  const send = async (key: typeof at.key) =>
    answered.push((await at.api.send(key, 'GET /services')).status);
  await Promise.all([send(at.key), send({ ...at.key, id: 'other' })]);
  assert.deepEqual(answered, [200, 429]);
});

test('who has its share of computations is refused before its body is read', async () => {
  await using computer = openComputer({ perCallerMax: 0 });
  const handle = async () => ok({});
  const common = { tag: 'x', doc: 'X.', role: 'viewer', answers, handle } as const;
  const routes: readonly Route[] = [
    { ...common, method: 'POST', path: '/computing', computes: 'simulation' },
    { ...common, method: 'POST', path: '/reading' },
  ];
  await using at = await setting({ routes, compute: computer.compute });
  const sent = { body: '{', headers: { 'content-type': 'application/json' } };
  const refused = await at.api.send(at.key, 'POST /computing', sent);
  assert.deepEqual([refused.status, refused.body.error], [429, 'rate_limited']);
  assert.equal((await at.api.send(at.key, 'POST /reading', sent)).status, 400);
});

test('an error of ours tells nothing but its request id', async () => {
  const handle = async () => {
    throw new Error('secret inner workings');
  };
  const broken = { method: 'GET', path: '/broken', tag: 't', doc: '', role: 'viewer' } as const;
  await using at = await setting({ routes: [{ ...broken, answers, handle }] });
  const answer = await at.api.send(at.key, 'GET /broken');
  assert.deepEqual([answer.status, answer.body.error], [500, 'internal']);
  assert.ok(!JSON.stringify(answer.body).includes('secret'));
});

test('without its database the API says 503 and to come back', async () => {
  // Nobody listens there; of the types of its values none is ever read.
  const sql = postgres('postgres://127.0.0.1:1/none', { max: 1 }) as unknown as Sql;
  await using api = await testApi({ sql });
  await using at = await setting();
  const answer = await api.send(at.key, 'GET /services');
  await sql.end();
  assert.deepEqual([answer.status, answer.body.error], [503, 'unavailable']);
  assert.equal(answer.headers['retry-after'], '1');
});

test('the contract and its page are served whole, with nothing from elsewhere', async () => {
  const thing = { method: 'GET', path: '/things/:id', tag: 'things', doc: 'Reads <one>.' } as const;
  const page: Route = { ...thing, role: 'viewer', answers, handle: async () => ok({}) };
  await using at = await setting({ routes: [page] });
  const document = (await at.api.app.inject('/openapi.json')).json();
  assert.equal(document.paths['/things/{id}'].get['x-role'], 'viewer');
  const docs = await at.api.app.inject('/docs/api-reference');
  assert.equal(docs.statusCode, 200);
  assert.match(docs.body, /<h2 id="things">Things<\/h2>/);
  assert.match(docs.body, /<code>GET \/things\/\{id\}<\/code> Reads &lt;one&gt;\./);
  assert.match(docs.body, /<h3 id="schema-EscalationPolicy">/);
  assert.doesNotMatch(docs.body, /<script|(src|href)="https?:/);
  assert.match(String(docs.headers['content-security-policy']), /^default-src 'none'/);
});
