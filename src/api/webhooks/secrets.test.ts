import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRecordsApi as setting } from '../../../test/records-api.ts';

const webhook = { name: 'w', url: 'https://hooks.test/1' };

test('a webhook is born with one secret of 32 bytes', async () => {
  await using at = await setting();
  const path = `/outbound-webhooks/${await at.make('outbound-webhooks', webhook)}/secrets`;
  const { body } = await at.api.send(at.key, `GET ${path}`);
  assert.equal(body.data.length, 1);
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+=*)$/.exec(body.data[0].secret) ?? [];
  assert.equal(Buffer.from(encoded ?? '', 'base64').length, 32);
});

test('a webhook from before there were secrets gets one when the list is read, and keeps it', async () => {
  await using at = await setting();
  const path = `/outbound-webhooks/${await at.make('outbound-webhooks', webhook)}/secrets`;
  await at.sql`delete from webhook_secrets`;
  const first = await at.api.send(at.key, `GET ${path}`);
  assert.equal(first.body.data.length, 1);
  assert.deepEqual((await at.api.send(at.key, `GET ${path}`)).body, first.body);
});

test('secrets change over by way of two: never a third, never none', async () => {
  await using at = await setting();
  const { api, key } = at;
  const path = `/outbound-webhooks/${await at.make('outbound-webhooks', webhook)}/secrets`;
  const [old] = (await api.send(key, `GET ${path}`)).body.data;
  const last = await api.send(key, `DELETE ${path}/${old.id}`);
  assert.deepEqual([last.status, last.body.error], [409, 'conflict']);
  const added = await api.send(key, `POST ${path}`);
  assert.equal(added.status, 201);
  assert.deepEqual((await api.send(key, `GET ${path}`)).body.data, [old, added.body]);
  const third = await api.send(key, `POST ${path}`);
  assert.deepEqual([third.status, third.body.error], [409, 'conflict']);
  assert.match(third.body.message, /Remove one first/);
  const removed = await api.send(key, `DELETE ${path}/${old.id}`);
  assert.deepEqual([removed.status, removed.body], [200, { id: old.id }]);
  assert.equal((await api.send(key, `DELETE ${path}/${old.id}`)).status, 404);
  assert.deepEqual((await api.send(key, `GET ${path}`)).body.data, [added.body]);
});

test('of many who add a secret at once, one does', async () => {
  await using at = await setting();
  const path = `/outbound-webhooks/${await at.make('outbound-webhooks', webhook)}/secrets`;
  const tenTimes = (line: string) =>
    Promise.all(Array.from({ length: 10 }, () => at.api.send(at.key, line)));
  // The connections are open before, so that the writes do meet.
  await tenTimes('GET /outbound-webhooks');
  const answers = await tenTimes(`POST ${path}`);
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  assert.equal(answers.filter(({ status }) => status === 409).length, 9);
});

test('an archived webhook keeps the secrets it has', async () => {
  await using at = await setting();
  const { api, key } = at;
  const path = `/outbound-webhooks/${await at.make('outbound-webhooks', webhook)}`;
  const [secret] = (await api.send(key, `GET ${path}/secrets`)).body.data;
  await api.send(key, `POST ${path}/secrets`);
  await api.send(key, `DELETE ${path}`);
  for (const line of [`POST ${path}/secrets`, `DELETE ${path}/secrets/${secret.id}`])
    assert.equal((await api.send(key, line)).body.error, 'archived', line);
  assert.equal((await api.send(key, `GET ${path}/secrets`)).body.data.length, 2);
});

test('secrets are for managers of the team, and of nobody else’s organization', async () => {
  await using at = await setting();
  const { api, world, ops, web } = at;
  const path = `/outbound-webhooks/${await at.make('outbound-webhooks', webhook)}/secrets`;
  const [{ id }] = (await api.send(at.key, `GET ${path}`)).body.data;
  const lines = [`GET ${path}`, `POST ${path}`, `DELETE ${path}/${id}`];
  const callers = [
    [world.caller({ role: 'responder' }), 403],
    [world.caller({ teamIds: [web] }), 404],
    [world.caller({ organizationId: 'f'.repeat(24) }), 404],
  ] as const;
  for (const [caller, status] of callers)
    for (const line of lines)
      assert.equal((await api.send(caller, line)).status, status, `${caller.role} ${line}`);
  const confined = world.caller({ teamIds: [ops] });
  assert.equal((await api.send(confined, `GET ${path}`)).status, 200);
  const other = await at.make('outbound-webhooks', webhook);
  const crossing = `DELETE /outbound-webhooks/${other}/secrets/${id}`;
  assert.equal((await api.send(at.key, crossing)).status, 404);
});

test('secrets are sealed at rest, and the audit log tells of them without them', async () => {
  await using at = await setting();
  const { api, key, sql } = at;
  const path = `/outbound-webhooks/${await at.make('outbound-webhooks', webhook)}/secrets`;
  await api.send(key, `POST ${path}`);
  const { data } = (await api.send(key, `GET ${path}`)).body;
  await api.send(key, `DELETE ${path}/${data[0].id}`);
  const rows = await sql<{ text: string }[]>`
    select row_to_json(a)::text as text from audit_log a union all
    select row_to_json(w)::text from webhook_secrets w`;
  for (const { text } of rows)
    for (const { secret } of data) assert.equal(text.includes(secret), false, text);
  const noted = await sql<{ action: string }[]>`
    select action from audit_log where kind = 'webhook_secret' order by id`;
  assert.deepEqual(
    noted.map(({ action }) => action),
    ['create', 'create', 'delete'],
  );
});
