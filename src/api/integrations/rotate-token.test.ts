import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRecordsApi } from '../../../test/records-api.ts';
import { accessLimits } from '../../limits/access.ts';

async function setting() {
  const at = await startRecordsApi();
  const { api, key } = at;
  const id = await at.integration(await at.make('services', { name: 's' }), await at.policy());
  const path = `/integrations/${id}`;
  return {
    at,
    id,
    path,
    rotate: (sent: Parameters<typeof api.send>[2] = {}, who = key) =>
      api.send(who, `POST ${path}/rotate-token`, sent),
    read: async () => (await api.send(key, `GET ${path}`)).body,
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

const minutesOf = (record: { updated_at: string; previous_token_expires_at: string }) =>
  (Date.parse(record.previous_token_expires_at) - Date.parse(record.updated_at)) / 60_000;

test('a rotation answers the record with another token and its addresses', async () => {
  await using one = await setting();
  const before = await one.read();
  assert.equal('previous_token_expires_at' in before, false);
  const { status, body } = await one.rotate();
  assert.equal(status, 200);
  assert.match(body.token, /^[0-9a-f]{40}$/);
  assert.notEqual(body.token, before.token);
  assert.equal(body.webhook_url, `http://localhost:8080/hooks/${body.token}/push-events`);
  assert.equal(body.email_address, `${body.token}@localhost`);
  assert.equal(body.version, before.version + 1);
  assert.equal(minutesOf(body), accessLimits.tokenGraceMinutes);
  assert.deepEqual(await one.read(), body);
});

test('the grace is a whole number of minutes up to the limit, and 0 leaves none', async () => {
  await using one = await setting();
  const most = accessLimits.tokenGraceMinutesMax;
  const { body } = await one.rotate({ body: { grace_minutes: most } });
  assert.equal(minutesOf(body), most);
  for (const grace_minutes of [-1, 0.5, most + 1, '1']) {
    const refused = await one.rotate({ body: { grace_minutes } });
    assert.deepEqual([refused.status, refused.body.issues[0].path], [422, 'grace_minutes']);
  }
  const ended = await one.rotate({ body: { grace_minutes: 0 } });
  assert.equal('previous_token_expires_at' in ended.body, false);
});

test('a client may send back a rotated record that it read', async () => {
  await using one = await setting();
  const { body } = await one.rotate();
  const { api, key } = one.at;
  const written = await api.send(key, `PUT ${one.path}`, { body });
  assert.equal(written.status, 200);
  assert.equal(written.body.token, body.token);
  assert.equal(written.body.previous_token_expires_at, body.previous_token_expires_at);
});

test('a rotation is for managers of the team, and is refused on another version', async () => {
  await using one = await setting();
  const { world, web } = one.at;
  const { token, version } = await one.read();
  const callers = [
    [world.caller({ role: 'responder' }), 403],
    [world.caller({ teamIds: [web] }), 404],
    [world.caller({ organizationId: 'f'.repeat(24) }), 404],
  ] as const;
  for (const [caller, status] of callers)
    assert.equal((await one.rotate({}, caller)).status, status, caller.role);
  const stale = await one.rotate({ headers: { 'if-match': String(version + 1) } });
  assert.deepEqual([stale.status, stale.body.error], [409, 'stale_version']);
  assert.equal((await one.read()).token, token);
  const { status } = await one.rotate({ headers: { 'if-match': String(version) } });
  assert.equal(status, 200);
});

test('an archived integration keeps its token, and has the previous one once it is restored', async () => {
  await using one = await setting();
  const { body } = await one.rotate();
  const { api, key, world } = one.at;
  await api.send(key, `DELETE ${one.path}`);
  const refused = await one.rotate();
  assert.deepEqual([refused.status, refused.body.error], [409, 'archived']);
  const admin = world.caller({ role: 'admin', kind: 'session' });
  const restored = await api.send(admin, `POST ${one.path}/restore`);
  assert.equal(restored.body.token, body.token);
  assert.equal(restored.body.previous_token_expires_at, body.previous_token_expires_at);
});

test('a rotation that is sent again rotates once, also if its server died before it answered', async () => {
  await using one = await setting();
  const again = { headers: { 'idempotency-key': 'rotation-1' }, body: { grace_minutes: 5 } };
  const first = await one.rotate(again);
  assert.deepEqual((await one.rotate(again)).body, first.body);
  const { sql } = one.at;
  await sql`
    update idempotent_answers set status = null, answer_encrypted = null,
      started_at = started_at - interval '1 hour'`;
  const third = await one.rotate(again);
  assert.deepEqual([third.status, third.body], [200, first.body]);
});

test('the audit log has who rotated, until when the previous token is accepted, and no token', async () => {
  await using one = await setting();
  const before = await one.read();
  const { body } = await one.rotate();
  const { sql, key } = one.at;
  const [entry] = await sql`
    select actor, record_id, before, after from audit_log where action = 'rotate_token'`;
  assert.ok(entry);
  assert.deepEqual([entry['actor'].id, entry['record_id']], [key.id, one.id]);
  assert.equal('previous_token_expires_at' in entry['before'], false);
  assert.equal(entry['after'].previous_token_expires_at, body.previous_token_expires_at);
  for (const token of [before.token, body.token])
    assert.equal(JSON.stringify(entry).includes(token), false);
});
