import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { peopleWorld } from '../../../test/people-world.ts';

// Ends before the database server does, whose own hook comes with the first database.
after(() => world[Symbol.asyncDispose]());
const world = await peopleWorld();
beforeEach(() => world.pass({ minutes: 6 }));

const { call, made } = world;

test('another organization sees nothing of this one', async () => {
  const other = await otherOrganization();
  const mine = await made('/api-keys', { name: 'mine', role: 'viewer' });
  const { userId, teamId } = world.first;
  const key = other.key;
  const contact = (await call(`GET /users/${userId}/contacts`)).body.data[0].id;
  const code = { key, body: { code: '123456' } };
  for (const [line, text] of [
    [`GET /users/${userId}`, { key }],
    [`PATCH /users/${userId}`, { key, body: { last_name: 'X' } }],
    [`PUT /users/${userId}`, { key, body: {} }],
    [`GET /users/${userId}/contacts`, { key }],
    [`POST /users/${userId}/contacts`, { key, body: { channel: 'sms', address: '+4915100000' } }],
    [`GET /teams/${teamId}`, { key }],
    [`PATCH /teams/${teamId}`, { key, body: { name: 'X' } }],
    [`DELETE /teams/${teamId}`, { key }],
    [`GET /teams/${teamId}/members`, { key }],
    [`POST /teams/${teamId}/members`, { key, body: { user_id: userId } }],
    [`DELETE /teams/${teamId}/members/${userId}`, { key }],
    [`GET /api-keys/${mine.id}`, { key }],
    [`PATCH /api-keys/${mine.id}`, { key, body: { name: 'X' } }],
    [`DELETE /api-keys/${mine.id}`, { key }],
  ] as const) {
    const answer = await call(line, text);
    assert.deepEqual([answer.status, answer.body.error], [404, 'not_found'], line);
  }
  for (const line of [
    `POST /users/${userId}/contacts/${contact}/verify`,
    `DELETE /users/${userId}/contacts/${contact}`,
  ])
    assert.equal((await call(line, code)).body.error, 'session_only', line);
  assert.equal((await call('GET /users', { key })).body.data.length, 0);
  const stolen = { name: 'x', user_ids: [userId] };
  assert.equal((await call('POST /teams', { key, body: stolen })).status, 422);
  const wide = { name: 'x', role: 'viewer', team_ids: [teamId] };
  assert.equal((await call('POST /api-keys', { key, body: wide })).status, 422);
});

async function otherOrganization() {
  const id = 'c'.repeat(24);
  const at = new Date().toISOString();
  await world.sql`
    insert into organizations (id, name, timezone, version, created_at, updated_at)
    values (${id}, 'Other', 'Etc/UTC', 1, ${at}, ${at})`;
  const { id: keyId, key } = await made('/api-keys', { name: 'other', role: 'owner' });
  await world.sql`update api_keys set organization_id = ${id}, made_by_key_id = null where id = ${keyId}`;
  return { id, key };
}

test('whatever is written stands in the audit log, with who did it and no secret', async () => {
  const { id, key } = await made('/api-keys', { name: 'audited', role: 'viewer' });
  await call(`PATCH /api-keys/${id}`, { key: world.first.key, body: { name: 'renamed' } });
  await call(`DELETE /api-keys/${id}`);
  const rows = await world.sql<{ action: string; actor: object; before: object; after: object }[]>`
    select action, actor, before, after from audit_log where record_id = ${id} order by id`;
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['create', 'update', 'archive'],
  );
  assert.equal(JSON.stringify(rows).includes(key), false);
  assert.match(JSON.stringify(rows[0]?.actor), /First key/);
});
