import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { daily, startOnCallApi } from '../../../test/on-call-api.ts';
import { queryLimits } from '../../limits/queries.ts';
import { type Sql, transact } from '../../storage/database/database.ts';

// The clock stands on the 2nd at 00:00.
const noon = '2026-03-02T12:00:00.000Z';
const evening = '2026-03-02T18:00:00.000Z';
const times = { start: noon, end: evening };

/** Ada is on call on the 2nd, bob on the 3rd. Eve, who is inactive, has the next turn. */
async function setting() {
  const at = await startOnCallApi();
  const { ada, bob, eve, world, send } = at;
  await at.setActive(eve, true);
  const id = await at.schedule([{ users: [ada, bob, eve], rotation: daily }]);
  await at.setActive(eve, false);
  const path = `/on-calls/${id}/cover-requests`;
  const person = (userId: string, role: 'responder' | 'manager' = 'responder') =>
    world.caller({ kind: 'session', id: userId, name: 'Somebody', role });
  const asAda = person(ada);
  return {
    ...at,
    id,
    path,
    person,
    asAda,
    asBob: person(bob),
    async add(fields: object = {}) {
      const made = await send(`POST ${path}`, { ...times, ...fields }, asAda);
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return made.body;
    },
    async onCall(time: string): Promise<string | null> {
      const { body } = await send(`GET /on-calls/${id}/now?at=${time}`);
      return body.now?.user.id ?? null;
    },
    async listed(query = ''): Promise<string[]> {
      const { body } = await send(`GET ${path}${query}`);
      return body.data.map((one: { id: string }) => one.id);
    },
    async overrides() {
      return (await send(`GET /on-calls/${id}/overrides?all=true`)).body.data;
    },
    notices: () => at.sql<{ channel: string; user_id: string; state: string; notice: string }[]>`
      select channel, user_id, state, notice from outbox where kind = 'cover_request' order by key`,
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

test('whoever signed in asks for their own shift, and the other active people get a notice', async () => {
  await using at = await setting();
  const { id, ...made } = await at.add({ comment: 'for the school run' });
  assert.deepEqual(made, {
    oncall_schedule_id: at.id,
    schedule_name: 'o',
    user_id: at.ada,
    ...times,
    comment: 'for the school run',
    candidate_user_ids: [at.bob],
    requested_by: { type: 'user', id: at.ada, name: 'Somebody' },
    created_at: '2026-03-02T00:00:00.000Z',
    state: 'open',
  });
  assert.deepEqual((await at.send(`GET ${at.path}/${id}`)).body, { id, ...made });
  assert.deepEqual(await at.overrides(), [], 'who is on call has not changed');
  const notices = await at.notices();
  assert.deepEqual(
    notices.map(({ channel, user_id, state }) => [channel, user_id, state]),
    [['email', at.bob, 'pending']],
  );
});

test('a request with an API key names whose shift it is', async () => {
  await using at = await setting();
  const unnamed = await at.send(`POST ${at.path}`, times);
  assert.deepEqual(
    [unnamed.status, unnamed.body.issues],
    [422, [{ path: 'user_id', message: 'is required for requests with an API key' }]],
  );
  const named = await at.send(`POST ${at.path}`, { ...times, user_id: at.ada });
  assert.deepEqual([named.status, named.body.requested_by.type], [201, 'key']);
});

describe('a cover request is rejected', () => {
  const cases = [
    { title: 'that ends as it starts', fields: { end: noon }, paths: ['end'] },
    {
      title: 'that has ended',
      fields: { start: '2026-03-01T00:00Z', end: '2026-03-02T00:00Z' },
      paths: ['end'],
    },
    { title: 'of eleven years', fields: { end: '2037-03-01T00:00Z' }, paths: ['end'] },
    { title: 'of nobody here', fields: { user_id: 'e'.repeat(24) }, paths: ['user_id'] },
    {
      title: 'of somebody who is not on call then',
      fields: { start: '2026-03-03T01:00Z', end: '2026-03-03T02:00Z' },
      paths: ['user_id'],
    },
    {
      title: 'with everything wrong at once',
      fields: { user_id: 'eve', start: 'now', end: '2026-03-01T00:00Z', comment: 1, colour: 'red' },
      paths: ['user_id', 'start', 'comment', 'colour', 'end'],
    },
  ];
  for (const { title, fields, paths } of cases)
    test(title, async () => {
      await using at = await setting();
      const answer = await at.send(`POST ${at.path}`, { ...times, ...fields }, at.asAda);
      assert.equal(answer.status, 422, JSON.stringify(answer.body));
      const rejected = answer.body.issues.map(({ path }: { path: string }) => path);
      assert.deepEqual(rejected.sort(), paths.sort());
      assert.deepEqual(await at.listed('?all=true'), []);
      assert.deepEqual((await at.notices()).length, 0);
    });
});

test('a request that nobody can answer is refused', async () => {
  await using at = await setting();
  await at.setActive(at.bob, false);
  const { status, body } = await at.send(`POST ${at.path}`, times, at.asAda);
  assert.equal(status, 409);
  assert.match(body.message, /^There is nobody to ask/);
});

test('a manager who is on the schedule is not asked by their own request', async () => {
  await using at = await setting();
  const body = { ...times, user_id: at.ada };
  const { status } = await at.send(`POST ${at.path}`, body, at.person(at.bob, 'manager'));
  assert.equal(status, 409, 'there is nobody but bob');
});

test('a schedule has a limited number of open requests', async () => {
  await using at = await setting();
  for (let count = 0; count < queryLimits.coverRequests; count += 1) await at.add();
  const { status, body } = await at.send(`POST ${at.path}`, times, at.asAda);
  assert.deepEqual([status, body.error], [409, 'conflict']);
  const [first] = await at.listed();
  assert.equal((await at.send(`DELETE ${at.path}/${first}`, undefined, at.asAda)).status, 200);
  await at.add();
});

test('the same request with the same Idempotency-Key is made once', async () => {
  await using at = await setting();
  const make = () =>
    at.api.send(at.asAda, `POST ${at.path}`, {
      body: times,
      headers: { 'idempotency-key': 'once' },
    });
  const [first, second] = [await make(), await make()];
  assert.deepEqual([second.status, second.body], [first.status, first.body]);
  assert.equal((await at.listed()).length, 1);
  const take = () =>
    at.api.send(at.asBob, `POST ${at.path}/${first.body.id}/accept`, {
      body: {},
      headers: { 'idempotency-key': 'take' },
    });
  const [taken, again] = [await take(), await take()];
  assert.deepEqual([taken.status, taken.body.state], [200, 'accepted']);
  assert.deepEqual([again.status, again.body], [taken.status, taken.body]);
  assert.equal((await at.overrides()).length, 1);
});

test('whoever accepts is on call by an override, whose shifts are announced', async () => {
  await using at = await setting();
  const request = await at.add({ comment: 'c' });
  const pokes = at.pokes();
  at.pass({ minutes: 1 });
  const accepted = await at.send(`POST ${at.path}/${request.id}/accept`, {}, at.asBob);
  assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
  const [override] = await at.overrides();
  const { id, user_id, replaces_user_id, start, end, comment } = override;
  assert.deepEqual(
    { user_id, replaces_user_id, start, end, comment },
    { user_id: at.bob, replaces_user_id: at.ada, ...times, comment: 'c' },
  );
  assert.deepEqual(accepted.body, {
    ...request,
    state: 'accepted',
    accepted_by: at.bob,
    accepted_at: '2026-03-02T00:01:00.000Z',
    override_id: id,
  });
  const on = await Promise.all(['2026-03-02T11:59:59Z', noon, evening].map(at.onCall));
  assert.deepEqual(on, [at.ada, at.bob, at.ada]);
  assert.equal(at.pokes(), pokes + 1);
  assert.deepEqual([await at.listed(), await at.listed('?all=true')], [[], [request.id]]);
  const log =
    await at.sql`select action, kind from audit_log where kind like '%o%r%' order by sequence`;
  assert.deepEqual(log.map(({ action, kind }) => `${action} ${kind}`).slice(-3), [
    'create cover_request',
    'create oncall_override',
    'update cover_request',
  ]);
});

test('of a shift that has begun, only the rest is taken', async () => {
  await using at = await setting();
  const { id } = await at.add();
  at.pass({ hours: 14 });
  await at.send(`POST ${at.path}/${id}/accept`, { user_id: at.bob });
  const [override] = await at.overrides();
  assert.deepEqual([override.start, override.end], ['2026-03-02T14:00:00.000Z', evening]);
});

test('a responder without a session says who takes the shift', async () => {
  await using at = await setting();
  const { id } = await at.add();
  const line = `POST ${at.path}/${id}/accept`;
  const cases = [
    [{}, 'is required for requests with an API key'],
    [{ user_id: at.ada }, 'must be another person: this is their shift'],
    [{ user_id: at.eve }, 'refers to a deactivated user'],
    [{ user_id: 'e'.repeat(24) }, 'does not match any user in this organization'],
  ] as const;
  for (const [body, message] of cases) {
    const answer = await at.send(line, body);
    assert.deepEqual([answer.status, answer.body.issues], [422, [{ path: 'user_id', message }]]);
  }
  assert.equal((await at.send(line, { user_id: at.bob })).status, 200);
});

describe('a request that is over is not accepted', () => {
  const refused = async (at: Awaited<ReturnType<typeof setting>>, id: string) => {
    const { status, body } = await at.send(`POST ${at.path}/${id}/accept`, { user_id: at.bob });
    return [status, body.message];
  };
  test('as someone else was first', async () => {
    await using at = await setting();
    const { id } = await at.add();
    await at.send(`POST ${at.path}/${id}/accept`, {}, at.asBob);
    const [status, message] = await refused(at, id);
    assert.equal(status, 409);
    assert.match(message, /^bob .*has already taken this shift\.$/i);
  });
  test('as it was withdrawn', async () => {
    await using at = await setting();
    const { id } = await at.add();
    await at.send(`DELETE ${at.path}/${id}`, undefined, at.asAda);
    assert.deepEqual(await refused(at, id), [409, 'The cover request was withdrawn.']);
    assert.equal((await at.send(`GET ${at.path}/${id}`)).body.state, 'withdrawn');
  });
  test('as its end has passed', async () => {
    await using at = await setting();
    const { id } = await at.add();
    at.pass({ hours: 18 });
    const message = 'The cover request has expired, because its end has passed.';
    assert.deepEqual(await refused(at, id), [409, message]);
    assert.equal((await at.send(`GET ${at.path}/${id}`)).body.state, 'expired');
    assert.deepEqual([await at.listed(), await at.listed('?all=true')], [[], [id]]);
  });
  test('as the person is no longer on call then', async () => {
    await using at = await setting();
    const { id } = await at.add();
    await at.send(`POST /on-calls/${at.id}/overrides`, { user_id: at.bob, ...times });
    const [status, message] = await refused(at, id);
    assert.equal(status, 409);
    assert.match(message, /is no longer on call at that time/);
  });
  test('as the person was deactivated', async () => {
    await using at = await setting();
    const { id } = await at.add();
    await at.setActive(at.ada, false);
    const [status, message] = await refused(at, id);
    assert.equal(status, 409);
    assert.match(message, /is no longer on call at that time/);
  });
  test('as its schedule was archived, with which it ends', async () => {
    await using at = await setting();
    const { id } = await at.add();
    assert.equal((await at.send(`DELETE /on-calls/${at.id}`)).status, 200);
    assert.deepEqual((await refused(at, id))[0], 409);
    assert.equal((await at.send(`GET ${at.path}/${id}`)).body.state, 'withdrawn');
    assert.deepEqual((await at.send('GET /cover-requests')).body.data, []);
    assert.equal((await at.send(`POST ${at.path}`, times, at.asAda)).status, 409);
  });
});

test('whoever made it, the person and managers withdraw a request', async () => {
  await using at = await setting();
  const withdraw = (id: string, caller = at.asAda) =>
    at.send(`DELETE ${at.path}/${id}`, undefined, caller);
  const { id } = await at.add();
  const other = await withdraw(id, at.asBob);
  assert.deepEqual([other.status, other.body.error], [403, 'forbidden']);
  assert.deepEqual((await withdraw(id)).body, { id });
  const again = await withdraw(id);
  assert.deepEqual([again.status, again.body.message], [409, 'The cover request was withdrawn.']);
  const byManager = await at.add();
  assert.equal((await withdraw(byManager.id, at.person(at.bob, 'manager'))).status, 200);
  const made = await at.send(`POST ${at.path}`, { ...times, user_id: at.ada }, at.person(at.eve));
  assert.equal((await withdraw(made.body.id)).status, 200, 'the person');
});

test('open requests of all schedules are listed for those whom they concern', async () => {
  await using at = await setting();
  const { id } = await at.add();
  const idsFor = async (caller: Parameters<typeof at.send>[2]) => {
    const { body } = await at.send('GET /cover-requests?for=me', undefined, caller);
    return body.data.map((one: { id: string }) => one.id);
  };
  assert.deepEqual(
    [await idsFor(at.asAda), await idsFor(at.asBob), await idsFor(at.person(at.eve))],
    [[id], [id], []],
  );
  const { web } = at;
  const confined = at.world.caller({ teamIds: [web], defaultTeamId: web });
  assert.deepEqual((await at.send('GET /cover-requests', undefined, confined)).body.data, []);
  assert.equal((await at.send('GET /cover-requests')).body.data.length, 1);
  assert.equal((await at.send('GET /cover-requests?for=you')).status, 422);
});

/** Each on a connection of its own, begun while those before wait for a lock or are done. */
async function atOnce<T>({ sql }: { readonly sql: Sql }, requests: readonly (() => Promise<T>)[]) {
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
  const { promise: mayGo, resolve: release } = Promise.withResolvers<void>();
  // Whoever creates an override waits for it.
  const holding = transact(sql, async (tx) => {
    await tx`select from shift_cursors for update`;
    locked();
    await mayGo;
  });
  await isLocked;
  const answers: Promise<T>[] = [];
  let done = 0;
  for (const begin of requests) {
    answers.push(begin().finally(() => (done += 1)));
    while ((await waiting(sql)) + done < answers.length);
  }
  release();
  await holding;
  return Promise.all(answers);
}

async function waiting(sql: Sql): Promise<number> {
  const rows = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return rows.length;
}

test('of two who accept at once, the first gets the shift', async () => {
  await using at = await setting();
  const { id } = await at.add();
  const line = `POST ${at.path}/${id}/accept`;
  const [first, second] = await atOnce(at, [
    () => at.send(line, {}, at.asBob),
    () => at.send(line, { user_id: at.bob }),
  ]);
  assert.deepEqual([first?.status, second?.status], [200, 409]);
  assert.match(second?.body.message, /^bob .*has already taken this shift\.$/i);
  assert.equal((await at.overrides()).length, 1);
});

test('a request that is withdrawn while somebody accepts it is accepted', async () => {
  await using at = await setting();
  const { id } = await at.add();
  const [accepted, withdrawn] = await atOnce(at, [
    () => at.send(`POST ${at.path}/${id}/accept`, {}, at.asBob),
    () => at.send(`DELETE ${at.path}/${id}`, undefined, at.asAda),
  ]);
  assert.deepEqual([accepted?.status, withdrawn?.status], [200, 409]);
  assert.equal((await at.send(`GET ${at.path}/${id}`)).body.state, 'accepted');
  assert.equal((await at.overrides()).length, 1);
});

test('while a server of the previous release may be connected, nobody asks for cover', async () => {
  await using at = await setting();
  await at.sql`update schedule_rules set in_force_from = null`;
  const { status, body } = await at.send(`POST ${at.path}`, times, at.asAda);
  assert.equal(status, 422);
  assert.match(body.issues[0].message, /the upgrade of Pager has not finished/);
});
