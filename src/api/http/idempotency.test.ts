import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { testApi, testSecrets } from '../../../test/api.ts';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { seedOrganization } from '../../../test/world.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import { httpLimits } from '../../limits/http.ts';
import { anything } from '../../resources/declaration/field.ts';
import { type Sql, transact } from '../../storage/database/database.ts';
import { audit } from '../../storage/organizations/audit.ts';
import { auditedTeam } from '../../storage/people/audited.ts';
import { createIdempotentAnswers } from '../../storage/records/idempotent-answers.ts';
import { rowContext } from '../../storage/sealed/sealed-columns.ts';
import { notFound } from '../failures.ts';
import { actOf } from '../people/writing.ts';
import { type Call, type Caller, ok, type Route } from '../route.ts';

const server = await anyDatabase();

/** A route whose work the test ends, and a clock that the test moves. */
async function setting() {
  const stack = new AsyncDisposableStack();
  const { sql } = stack.use(await testDatabase({ server }));
  const time = { now: Temporal.Instant.from('2026-03-01T12:00:00Z') };
  const work = { runs: 0, run: async (_call: Call): Promise<unknown> => ({ run: work.runs }) };
  const route: Route = {
    method: 'POST',
    path: '/work/:id',
    tag: 't',
    doc: '',
    role: 'viewer',
    answers: { status: 201, schema: anything('What came out.') },
    async handle(call) {
      work.runs += 1;
      return ok((await work.run(call)) ?? {}, 201);
    },
  };
  const clock = { now: () => time.now };
  const headers: Route = { ...route, path: '/ask', writesNothing: true };
  const api = stack.use(await testApi({ sql, clock, routes: [route, headers] }));
  const world = await seedOrganization(sql, { users: [{ name: 'ada' }] });
  const key = world.caller();
  const send = (text: { caller?: typeof key; path?: string; body?: object; key?: string } = {}) =>
    api.send(text.caller ?? key, `POST /work/${text.path ?? '1'}`, {
      body: text.body ?? { a: 1 },
      headers: { 'idempotency-key': text.key ?? 'k' },
    });
  return {
    sql,
    time,
    work,
    world,
    api,
    send,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
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
  assert.match(row?.['answer_encrypted'], /^v2:/);
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

/** As a server leaves it that dies between its commit and its answer. */
const loseAnswers = ({ sql }: { sql: Sql }) =>
  sql`update idempotent_answers set status = null, answer_encrypted = null`;

test('what a server made that died before it answered is told, and not made again', async () => {
  await using at = await setting();
  const caller = at.world.caller({ role: 'owner' });
  const headers = { 'idempotency-key': 'k' };
  const bodies = {
    'POST /services': { name: 'Shop' },
    'POST /teams': { name: 'Ops' },
    'POST /users': { first_name: 'A', last_name: 'B', email: 'a@b.example', role: 'viewer' },
  };
  for (const [request, body] of Object.entries(bodies)) {
    const first = await at.api.send(caller, request, { body, headers });
    assert.equal(first.status, 201, JSON.stringify(first.body));
    await loseAnswers(at);
    const soon = await at.api.send(caller, request, { body, headers });
    assert.equal(soon.body.error, 'idempotency_running');
    at.time.now = at.time.now.add({ minutes: 1 });
    const later = await at.api.send(caller, request, { body, headers });
    assert.deepEqual([later.status, later.body], [201, first.body]);
    const changed = await at.api.send(caller, request, { body: { ...body, x: 1 }, headers });
    assert.equal(changed.body.error, 'idempotency_mismatch');
  }
  const [rows] = await at.sql`select (select count(*) from services) as services,
    (select count(*) from teams where name = 'Ops') as teams,
    (select count(*) from users where email = 'a@b.example') as users`;
  assert.deepEqual({ ...rows }, { services: 1, teams: 1, users: 1 });
});

test('a change or an end that is sent again is told as done, and not as stale', async () => {
  await using at = await setting();
  const caller = at.world.caller({ role: 'owner' });
  const { body: team } = await at.api.send(caller, 'POST /teams', { body: { name: 'Ops' } });
  const { body: service } = await at.api.send(caller, 'POST /services', { body: { name: 'Shop' } });
  const headers = { 'if-match': '1', 'idempotency-key': 'k' };
  const renamed = { body: { name: 'Store' }, headers };
  for (const request of [`PATCH /teams/${team.id}`, `PUT /services/${service.id}`]) {
    const first = await at.api.send(caller, request, renamed);
    assert.deepEqual([first.status, first.body.version], [200, 2], JSON.stringify(first.body));
    assert.deepEqual((await at.api.send(caller, request, renamed)).body, first.body);
    const other = { ...renamed, headers: { ...headers, 'if-match': '2' } };
    const mismatch = await at.api.send(caller, request, other);
    assert.equal(mismatch.body.error, 'idempotency_mismatch');
    await loseAnswers(at);
    at.time.now = at.time.now.add({ minutes: 1 });
    assert.deepEqual((await at.api.send(caller, request, renamed)).body, first.body);
  }
  const end = { headers: { 'if-match': '2', 'idempotency-key': 'k' } };
  const ended = await at.api.send(caller, `DELETE /services/${service.id}`, end);
  assert.equal(ended.status, 200);
  const again = await at.api.send(caller, `DELETE /services/${service.id}`, end);
  assert.deepEqual([again.status, again.body], [200, ended.body]);
});

test('an answer that held a secret is lost for good, and what it was about is named', async () => {
  await using at = await setting();
  const id = at.world.users['ada'] ?? '';
  const caller = at.world.caller({ kind: 'session', id, role: 'owner' });
  const text = { body: { name: 'CI', role: 'viewer' }, headers: { 'idempotency-key': 'k' } };
  const key = (await at.api.send(caller, 'POST /api-keys', text)).body;
  await loseAnswers(at);
  at.time.now = at.time.now.add({ minutes: 1 });
  const lost = await at.api.send(caller, 'POST /api-keys', text);
  assert.deepEqual([lost.status, lost.body.error], [409, 'answer_lost']);
  assert.equal(
    lost.body.message,
    `This request was completed for ${key.id}, but its response was lost.`,
  );
});

/** Makes something, as every creation does: with a line of the audit log. */
const making = ({ sql }: { sql: Sql }, call: Call) =>
  transact(sql, (tx) => {
    const about = { ...auditedTeam, id: 'e'.repeat(24) };
    return audit(tx, createIds(systemClock), { act: actOf(call), action: 'create', ...about });
  });

test('a run that another one has taken over makes nothing', async () => {
  await using at = await setting();
  const gate = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  at.work.run = async (call) => {
    started.resolve();
    await gate.promise;
    await making(at, call);
  };
  const first = at.send();
  await started.promise;
  at.time.now = at.time.now.add({ minutes: 1 });
  at.work.run = async (call) => making(at, call);
  assert.equal((await at.send()).status, 201);
  gate.resolve();
  const { status, body } = await first;
  assert.deepEqual([status, body.error], [409, 'idempotency_running']);
  const [row] = await at.sql`select count(*) as made from audit_log`;
  assert.equal(row?.['made'], 1);
});

test('what fails after it made something is not tried again', async () => {
  await using at = await setting();
  at.work.run = async (call) => {
    await making(at, call);
    throw notFound();
  };
  assert.equal((await at.send()).status, 404);
  at.time.now = at.time.now.add({ minutes: 1 });
  assert.equal((await at.send()).body.error, 'answer_lost');
  assert.equal(at.work.runs, 1);
});

test('what writes nothing keeps nothing', async () => {
  await using at = await setting();
  const caller = at.world.caller();
  const repeat = () => at.api.send(caller, 'POST /ask', { headers: { 'idempotency-key': 'k' } });
  assert.deepEqual((await repeat()).body, { run: 1 });
  assert.deepEqual((await repeat()).body, { run: 2 });
  assert.equal((await at.sql`select key from idempotent_answers`).length, 0);
});

test('of what was made its id is kept, not the record: it is read anew', async () => {
  await using at = await setting();
  const caller = at.world.caller({ role: 'owner' });
  const text = { body: { name: 'Shop' }, headers: { 'idempotency-key': 'k' } };
  const { id } = (await at.api.send(caller, 'POST /services', text)).body;
  const [stored] =
    await at.sql`select created_id, status, answer_encrypted from idempotent_answers`;
  assert.deepEqual([stored?.['created_id'], stored?.['status']], [id, 201]);
  assert.equal(
    testSecrets.open(stored?.['answer_encrypted'], placeOfAnswer(caller)),
    '{"body":{}}',
  );
  await at.api.send(caller, `PATCH /services/${id}`, { body: { name: 'Store' } });
  const again = await at.api.send(caller, 'POST /services', text);
  assert.deepEqual([again.status, again.body.id, again.body.name], [201, id, 'Store']);
});

const placeOfAnswer = ({ organizationId, kind, id }: Caller) =>
  rowContext(
    'idempotent_answers.answer_encrypted',
    ...([organizationId, `${kind}:${id}`, 'POST /api/v1/services', 'k'] as const),
  );

test('the warnings of a creation are told again', async () => {
  await using at = await setting();
  const caller = at.world.caller({ role: 'owner' });
  const layer = { users: [at.world.users['ada']], rotation: { length: 1, unit: 'weeks' } };
  const starts_at = at.time.now.add({ hours: 1 }).toString();
  const body = { name: 'Later', timezone: 'Etc/UTC', layers: [{ ...layer, starts_at }] };
  const text = { body, headers: { 'idempotency-key': 'k' } };
  const first = await at.api.send(caller, 'POST /on-calls', text);
  assert.equal(first.status, 201, JSON.stringify(first.body));
  assert.ok(first.body.warnings.length > 0);
  assert.deepEqual((await at.api.send(caller, 'POST /on-calls', text)).body, first.body);
});

test('an answer that is too large is not kept, and its work is not done again', async () => {
  await using at = await setting();
  at.work.run = async () => ({ text: 'x'.repeat(httpLimits.repeatableAnswer) });
  assert.equal((await at.send()).status, 201);
  const again = await at.send();
  assert.deepEqual([again.status, again.body.error], [409, 'answer_lost']);
  assert.equal(at.work.runs, 1);
});

test('at its bound a caller waits with new keys, and none is forgotten for them', async () => {
  await using at = await setting();
  const caller = at.world.caller();
  assert.equal((await at.send({ caller, key: 'oldest' })).status, 201);
  const { sql, time } = at;
  time.now = time.now.add({ hours: 1 });
  await sql`
    insert into idempotent_answers
      (organization_id, caller, route, key, body_digest, started_at, status)
    select organization_id, caller, route, 'k' || number, body_digest, ${time.now}, 201
    from idempotent_answers, generate_series(2, ${httpLimits.repeatable}) as number`;
  const full = await at.send({ caller, key: 'new' });
  assert.deepEqual([full.status, full.body.error], [429, 'rate_limited']);
  assert.equal(full.headers['retry-after'], String(23 * 3_600));
  assert.deepEqual((await at.send({ caller, key: 'oldest' })).body, { run: 1 });
  assert.equal((await at.send({ key: 'another caller' })).status, 201);
  time.now = time.now.add({ hours: 23 });
  assert.equal((await at.send({ caller, key: 'new' })).status, 201);
});

test('a path of any length is answered as without a key', async () => {
  await using at = await setting();
  const path = randomBytes(2_000).toString('hex');
  const { status, body } = await at.send({ path });
  assert.deepEqual([status, body], [201, { run: 1 }]);
});
