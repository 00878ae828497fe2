import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRecordsApi as setting } from '../../../test/records-api.ts';
import { seedOrganization } from '../../../test/world.ts';
import { roles } from '../../resources/roles.ts';

type Entry = { readonly action: string; readonly record_id: string };
const summary = ({ action, record_id }: Entry) => [action, record_id];

test('what was done to a record is listed, newest first, with who did it and what changed', async () => {
  await using at = await setting();
  const admin = at.world.caller({ role: 'admin', name: 'the pipeline' });
  const person = at.world.caller({ role: 'admin', kind: 'session', id: at.ada, name: 'ada' });
  const made = await at.api.send(admin, 'POST /services', { body: { name: 'old' } });
  const { id } = made.body;
  await at.api.send(person, `PATCH /services/${id}`, { body: { name: 'new' } });
  const { status, body } = await at.api.send(admin, 'GET /audit-log');
  assert.equal(status, 200);
  const [changed, created] = body.data;
  assert.deepEqual(
    [changed, created].map(({ record_type, ...entry }) => [record_type, ...summary(entry)]),
    [
      ['service', 'update', id],
      ['service', 'create', id],
    ],
  );
  assert.deepEqual([changed.before.name, changed.after.name], ['old', 'new']);
  assert.deepEqual(changed.actor, { type: 'user', id: at.ada, name: 'ada' });
  assert.deepEqual(created.actor, { type: 'key', id: admin.id, name: 'the pipeline' });
  assert.equal(created.request_id, made.headers['x-request-id']);
  assert.equal('before' in created, false);
});

test('each filter narrows the log, and all of them together', async () => {
  await using at = await setting();
  const { api, world } = at;
  const admin = world.caller({ role: 'admin' });
  const other = world.caller({ role: 'admin' });
  const a = await at.make('services', { name: 'a' });
  const w = await at.make('outbound-webhooks', { name: 'w', url: 'https://hooks.test/x' });
  await api.send(other, `PATCH /services/${a}`, { body: { name: 'b' } });
  await api.send(other, `DELETE /outbound-webhooks/${w}`);
  const listed = async (query: string) =>
    (await api.send(admin, `GET /audit-log?${query}`)).body.data.map(summary);
  assert.deepEqual(await listed('record_type=service'), [
    ['update', a],
    ['create', a],
  ]);
  assert.deepEqual(await listed(`record_id=${w}`), [
    ['archive', w],
    ['create', w],
  ]);
  assert.deepEqual(await listed('action=update'), [['update', a]]);
  assert.deepEqual(await listed(`actor_id=${other.id}`), [
    ['archive', w],
    ['update', a],
  ]);
  const all = `record_type=service&record_id=${a}&action=create&actor_id=${at.key.id}`;
  assert.deepEqual(await listed(all), [['create', a]]);
  assert.deepEqual(await listed(`${all.replace('create', 'archive')}`), []);
});

test('the log of a time has what was written in it, also where entries are not in its order', async () => {
  await using at = await setting();
  const admin = at.world.caller({ role: 'admin' });
  const days = ['01', '02', '03', '04', '05', '06', '07'].map((day) => `2026-11-${day}T12:00:00Z`);
  // As of a request that took half an hour.
  const times = days.with(3, '2026-11-03T11:30:00Z');
  for (const [index, time] of times.entries()) {
    const id = await at.make('services', { name: String(index) });
    await at.sql`update audit_log set at = ${time} where record_id = ${id}`;
  }
  const listed = async (query: object) => {
    const text = new URLSearchParams({ order: 'asc', ...query }).toString();
    const { status, body } = await at.api.send(admin, `GET /audit-log?${text}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data.map((entry: { at: string }) => Temporal.Instant.from(entry.at).toString());
  };
  const bounds = [undefined, '2026-10-01T00:00:00Z', ...times, '2026-12-01T00:00:00Z'];
  for (const from of bounds)
    for (const to of bounds) {
      if (from !== undefined && to !== undefined && from >= to) continue;
      const expected = times.filter(
        (time) => (from === undefined || time >= from) && (to === undefined || time < to),
      );
      assert.deepEqual(await listed({ ...(from && { from }), ...(to && { to }) }), expected);
    }
  const { status, body } = await at.api.send(admin, `GET /audit-log?from=${days[1]}&to=${days[0]}`);
  assert.deepEqual([status, body.issues], [422, [{ path: 'to', message: 'must be after from' }]]);
});

test('a filter that is unknown, or whose value names nothing, is refused at its name', async () => {
  await using at = await setting();
  const admin = at.world.caller({ role: 'admin' });
  for (const text of [
    'record_type=thing',
    'record_type=',
    'record_id=1',
    'action=think',
    'actor_id=ada',
    'cursor=yesterday',
    'order=newest',
    'limit=201',
    'from=yesterday',
    'to=2026-11-30',
  ]) {
    const { status, body } = await at.api.send(admin, `GET /audit-log?${text}`);
    assert.deepEqual([status, body.error], [422, 'validation_failed'], text);
    assert.deepEqual(
      body.issues.map(({ path }: { path: string }) => path),
      [text.split('=')[0]],
    );
  }
  const unknown = await at.api.send(admin, 'GET /audit-log?actor=ada');
  assert.deepEqual([unknown.status, unknown.body.error], [400, 'invalid_query']);
});

test('pages of the log follow each other without gap or repeat, while it grows', async () => {
  await using at = await setting();
  const admin = at.world.caller({ role: 'admin' });
  const ids = [];
  for (const name of ['a', 'b', 'c']) ids.push(await at.make('services', { name }));
  const page = async (query: string) => (await at.api.send(admin, `GET /audit-log?${query}`)).body;
  const first = await page('limit=2');
  await at.make('services', { name: 'd' });
  const second = await page(`limit=2&cursor=${first.next_cursor}`);
  assert.deepEqual(
    [...first.data, ...second.data].map(({ record_id }) => record_id),
    ids.toReversed(),
  );
  assert.equal(second.next_cursor, null);
});

test('who reads the log oldest first goes on after the last entry they know, by its sequence', async () => {
  await using at = await setting();
  const admin = at.world.caller({ role: 'admin' });
  const read = async (query: string) =>
    (await at.api.send(admin, `GET /audit-log?order=asc&${query}`)).body;
  const ids = [await at.make('services', { name: 'a' }), await at.make('services', { name: 'b' })];
  const { data, next_cursor } = await read('limit=2');
  assert.deepEqual(
    data.map(({ record_id }: Entry) => record_id),
    ids,
  );
  assert.equal(next_cursor, null);
  const later = await at.make('services', { name: 'c' });
  const { data: more } = await read(`cursor=${data.at(-1).sequence}&record_type=service`);
  assert.deepEqual(
    more.map(({ record_id }: Entry) => record_id),
    [later],
  );
});

test('an organization reads of its own log alone', async () => {
  await using at = await setting();
  const id = await at.make('services', { name: 'ours' });
  const other = (await seedOrganization(at.sql)).caller({ role: 'owner' });
  for (const query of ['', `?record_id=${id}`, `?actor_id=${at.key.id}`]) {
    const { status, body } = await at.api.send(other, `GET /audit-log${query}`);
    assert.deepEqual([status, body.data], [200, []], query);
  }
});

test('admins of the whole organization alone read the log', async () => {
  await using at = await setting();
  const status = async (text: object) =>
    (await at.api.send(at.world.caller(text), 'GET /audit-log')).status;
  const statuses = await Promise.all(roles.map((role) => status({ role })));
  assert.deepEqual(statuses, [403, 403, 403, 200, 200]);
  assert.equal(await status({ role: 'owner', teamIds: [at.ops] }), 403);
});

test('what is secret stands masked in the log, for owners too', async () => {
  await using at = await setting();
  const url = 'https://hooks.test/very-secret';
  const owner = at.world.caller({ role: 'owner' });
  const body = { shift_notifications: { discord: [{ webhook_url: url }] } };
  await at.make('outbound-webhooks', { name: 'w', url });
  await at.api.send(owner, 'PATCH /organization', { body });
  const { data } = (await at.api.send(owner, 'GET /audit-log')).body;
  assert.deepEqual(
    data.map(({ record_type, after }: { record_type: string; after: Record<string, unknown> }) => [
      record_type,
      after['url'] ?? after['secret'] ?? after['shift_notifications'],
    ]),
    [
      ['organization', { discord: [{ webhook_url: '•••' }] }],
      // The entry of a record comes after those of what it was made with.
      ['outbound_webhook', '•••'],
      ['webhook_secret', '•••'],
    ],
  );
});
