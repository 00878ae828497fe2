import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { daily, startOnCallApi } from '../../../test/on-call-api.ts';

// The clock stands on the 2nd at 00:00.
const noon = '2026-03-02T12:00:00.000Z';
const evening = '2026-03-02T18:00:00.000Z';

/** A schedule that has ada, and bob to stand in. */
async function setting() {
  const at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: daily }]);
  const path = `/on-calls/${id}/overrides`;
  return {
    ...at,
    id,
    path,
    body: (fields: object = {}) => ({ user_id: at.bob, start: noon, end: evening, ...fields }),
    async add(fields: object = {}) {
      const body = { user_id: at.bob, start: noon, end: evening, ...fields };
      const made = await at.send(`POST ${path}`, body);
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return made.body;
    },
    async onCall(time: string): Promise<string | null> {
      const { body } = await at.send(`GET /on-calls/${id}/now?at=${time}`);
      return body.now?.user.id ?? null;
    },
    async listed(query = '') {
      const { body } = await at.send(`GET ${path}${query}`);
      return body.data.map((one: { id: string }) => one.id);
    },
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

test('an override is answered as it was sent, with times in UTC', async () => {
  await using at = await setting();
  const fields = { replaces_user_id: at.ada, comment: ' for the school run ' };
  const { id, created_at, updated_at, ...shown } = await at.add({
    ...fields,
    start: '2026-03-02T13:00+01:00',
  });
  const of = { oncall_schedule_id: at.id, version: 1 };
  assert.deepEqual(shown, { ...of, user_id: at.bob, ...fields, start: noon, end: evening });
  assert.deepEqual([created_at, updated_at], Array(2).fill('2026-03-02T00:00:00.000Z'));
  const read = await at.send(`GET ${at.path}/${id}`);
  assert.deepEqual(read.body, { id, ...shown, created_at, updated_at });
  assert.deepEqual(await at.listed(), [id]);
});

test('whoever stands in is on call from its start to its end', async () => {
  await using at = await setting();
  await at.add();
  const times = ['2026-03-02T11:59:59Z', noon, '2026-03-02T17:59:59Z', evening];
  const match = await Promise.all(times.map((time) => at.onCall(time)));
  assert.deepEqual(match, [at.ada, at.bob, at.bob, at.ada]);
});

describe('an override is refused', () => {
  const cases = [
    { title: 'that ends as it starts', fields: { end: noon }, paths: ['end'] },
    { title: 'that ends before it starts', fields: { start: evening, end: noon }, paths: ['end'] },
    {
      title: 'that has ended',
      fields: { start: '2026-03-01T00:00Z', end: '2026-03-02T00:00Z' },
      paths: ['end'],
    },
    { title: 'of nobody here', fields: { user_id: 'e'.repeat(24) }, paths: ['user_id'] },
    {
      title: 'of nobody here, for nobody here',
      fields: { user_id: 'e'.repeat(24), replaces_user_id: 'f'.repeat(24) },
      paths: ['user_id', 'replaces_user_id'],
    },
    {
      title: 'with everything wrong at once',
      fields: { user_id: 'eve', start: 'now', end: '2026-03-01T00:00Z', comment: 1, colour: 'red' },
      paths: ['user_id', 'start', 'comment', 'colour', 'end'],
    },
    { title: 'of eleven years', fields: { end: '2037-03-01T00:00Z' }, paths: ['end'] },
    { title: 'before the calendar', fields: { start: '-000044-03-15T00:00Z' }, paths: ['start'] },
    { title: 'after the calendar', fields: { end: '+012026-01-01T00:00Z' }, paths: ['end'] },
  ];
  for (const { title, fields, paths } of cases)
    test(title, async () => {
      await using at = await setting();
      const answer = await at.send(`POST ${at.path}`, at.body(fields));
      assert.equal(answer.status, 422, JSON.stringify(answer.body));
      const rejected = answer.body.issues.map(({ path }: { path: string }) => path);
      assert.deepEqual(rejected.sort(), paths.sort());
      assert.deepEqual(await at.listed('?all=true'), []);
      assert.equal(at.pokes(), 0);
    });
});

test('only an active person stands in; somebody who left may be replaced', async () => {
  await using at = await setting();
  const { send, path, eve } = at;
  const gone = await send(`POST ${path}`, at.body({ user_id: eve }));
  assert.deepEqual(gone.body.issues, [
    { path: 'user_id', message: 'refers to a deactivated user' },
  ]);
  const own = await send(`POST ${path}`, at.body({ replaces_user_id: at.bob }));
  assert.equal(own.body.issues[0].path, 'replaces_user_id');
  const { id } = await at.add({ replaces_user_id: eve });
  await at.sql`update users set active = false where id = ${at.bob}`;
  const patched = await send(`PATCH ${path}/${id}`, { end: '2026-03-02T17:00Z' });
  assert.equal(patched.status, 200, 'who was stored before may stay');
});

test('a patch changes what it names; a replacement forgets what it does not', async () => {
  await using at = await setting();
  const { send, path } = at;
  const { id, created_at } = await at.add({ comment: 'c', replaces_user_id: at.ada });
  at.pass({ minutes: 1 });
  const patched = await send(`PATCH ${path}/${id}`, { replaces_user_id: null });
  const { body } = patched;
  assert.deepEqual(body, {
    id,
    version: 2,
    oncall_schedule_id: at.id,
    ...at.body(),
    comment: 'c',
    created_at,
    updated_at: '2026-03-02T00:01:00.000Z',
  });
  const put = await send(`PUT ${path}/${id}`, { ...body, comment: null });
  assert.equal(put.body.comment, undefined);
  assert.equal((await send(`PATCH ${path}/${id}`, { end: noon })).status, 422);
});

test('an edit and a removal change nothing of the time before them', async () => {
  await using at = await setting();
  const { id } = await at.add();
  at.pass({ hours: 14 });
  await at.send(`PATCH ${at.path}/${id}`, { user_id: at.ada, start: '2026-03-02T13:00Z' });
  await at.send(`PATCH ${at.path}/${id}`, { user_id: at.bob });
  at.pass({ hours: 1 });
  assert.equal((await at.send(`DELETE ${at.path}/${id}`)).status, 200);
  const { body } = await at.send(`GET /on-calls/${at.id}/shifts?from=${noon}&to=${evening}`);
  const shifts = body.data.map((one: { user_id: string; start: string; end: string }) => [
    one.user_id,
    one.start.slice(11, 16),
    one.end.slice(11, 16),
  ]);
  assert.deepEqual(shifts, [
    [at.bob, '12:00', '15:00'],
    [at.ada, '15:00', '18:00'],
  ]);
});

test('one that has ended is history: shown when asked for, and never changed', async () => {
  await using at = await setting();
  const { send, path } = at;
  const { id } = await at.add();
  at.pass({ hours: 18 });
  const answers = [
    await send(`PATCH ${path}/${id}`, { end: '2026-03-03T00:00Z' }),
    await send(`PUT ${path}/${id}`, at.body({ end: '2026-03-03T00:00Z' })),
    await send(`DELETE ${path}/${id}`),
  ];
  assert.deepEqual(
    answers.map(({ status, body }) => `${status} ${body.message}`),
    Array(3).fill('409 The override has ended and cannot be changed.'),
  );
  assert.deepEqual(await at.listed(), []);
  assert.deepEqual(await at.listed('?all=true'), [id]);
  assert.equal((await send(`GET ${path}/${id}`)).status, 200);
});

test('one that is removed before it runs never was', async () => {
  await using at = await setting();
  const { id } = await at.add();
  assert.deepEqual((await at.send(`DELETE ${at.path}/${id}`)).body, { id });
  assert.equal(await at.onCall(noon), at.ada);
  for (const method of ['GET', 'DELETE'])
    assert.equal((await at.send(`${method} ${at.path}/${id}`)).status, 404);
  assert.deepEqual(await at.listed('?all=true'), []);
});

test('overrides are listed in pages, oldest first', async () => {
  await using at = await setting();
  const made = [];
  for (let count = 0; count < 3; count += 1) made.push((await at.add()).id);
  const first = await at.send(`GET ${at.path}?limit=2`);
  const second = await at.send(`GET ${at.path}?limit=2&cursor=${first.body.next_cursor}`);
  const ids = [...first.body.data, ...second.body.data].map(({ id }) => id);
  assert.deepEqual([ids, second.body.next_cursor], [made, null]);
});

test('responders make overrides, viewers read them, strangers see none', async () => {
  await using at = await setting();
  const { send, path, world } = at;
  const { id } = (await send(`POST ${path}`, at.body(), world.caller({ role: 'responder' }))).body;
  const viewer = world.caller({ role: 'viewer' });
  assert.equal((await send(`GET ${path}/${id}`, undefined, viewer)).status, 200);
  assert.equal((await send(`POST ${path}`, at.body(), viewer)).status, 403);
  const other = world.caller({ organizationId: 'f'.repeat(24) });
  const outside = world.caller({ teamIds: [at.web] });
  for (const caller of [other, outside]) {
    for (const line of [`GET ${path}`, `GET ${path}/${id}`, `DELETE ${path}/${id}`])
      assert.equal((await send(line, undefined, caller)).status, 404, line);
    assert.equal((await send(`POST ${path}`, at.body(), caller)).status, 404);
    assert.equal((await send(`PATCH ${path}/${id}`, {}, caller)).status, 404);
  }
});

test('an override of one schedule is not one of another', async () => {
  await using at = await setting();
  const { id } = await at.add();
  const other = await at.schedule([{ users: [at.ada], rotation: daily }]);
  for (const method of ['GET', 'DELETE'])
    assert.equal((await at.send(`${method} /on-calls/${other}/overrides/${id}`)).status, 404);
});

test('an archived schedule keeps its overrides and takes none', async () => {
  await using at = await setting();
  const { id } = await at.add();
  await at.send(`DELETE /on-calls/${at.id}`);
  const fields = [
    await at.send(`POST ${at.path}`, at.body()),
    await at.send(`PATCH ${at.path}/${id}`, {}),
    await at.send(`DELETE ${at.path}/${id}`),
  ];
  assert.deepEqual(
    fields.map(({ status, body }) => `${status} ${body.error}`),
    Array(3).fill('409 archived'),
  );
  assert.deepEqual(await at.listed(), [id]);
});

test('a schedule has no more than a thousand overrides that have not ended', async () => {
  await using at = await setting();
  const first = await at.add();
  await at.sql`
    insert into oncall_overrides
    select organization_id, oncall_schedule_id, lpad(to_hex(n), 24, '0'), 1, user_id, null,
      start_at, end_at, null, edit, in_force_from, null, null, created_at, actor
    from oncall_overrides, generate_series(1, 999) as n`;
  const full = await at.send(`POST ${at.path}`, at.body());
  assert.equal(`${full.status} ${full.body.error}`, '409 conflict');
  assert.match(full.body.message, /would have more than 1000 current and future overrides/);
  await at.send(`DELETE ${at.path}/${first.id}`);
  await at.add();
});

test('whoever watches the schedule is told to look, and the record’s version stays', async () => {
  await using at = await setting();
  const { id } = await at.add();
  await at.send(`PATCH ${at.path}/${id}`, { comment: 'c' });
  await at.send(`DELETE ${at.path}/${id}`);
  assert.equal(at.pokes(), 3);
  const [cursor] = await at.sql`select edits, seen_edits from shift_cursors`;
  assert.deepEqual(cursor, { edits: 4, seen_edits: 1 });
  assert.equal((await at.send(`GET /on-calls/${at.id}`)).body.version, 1);
  const audited = await at.sql`
    select action, record_id from audit_log where kind = 'oncall_override' order by id`;
  assert.deepEqual(
    audited.map(({ action, record_id }) => [action, record_id]),
    [
      ['create', id],
      ['update', id],
      ['delete', id],
    ],
  );
});

test('a write that is based on an older version is refused', async () => {
  await using at = await setting();
  const { id, version } = await at.add();
  const path = `${at.path}/${id}`;
  const changed = await at.send(`PATCH ${path}`, { comment: 'Later.' });
  assert.equal(changed.body.version, version + 1);
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const sent = { headers: { 'if-match': `"${version}"` }, body: at.body() };
    const refused = await at.api.send(at.key, `${method} ${path}`, sent);
    assert.deepEqual([refused.status, refused.body.error], [409, 'stale_version']);
  }
  assert.deepEqual((await at.send(`GET ${path}`)).body, changed.body);
});
