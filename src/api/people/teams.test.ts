import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { peopleWorld } from '../../../test/people-world.ts';

// Ends before the database server does, whose own hook comes with the first database.
after(() => world[Symbol.asyncDispose]());
const world = await peopleWorld();
beforeEach(() => world.pass({ minutes: 6 }));

const { call, made, person } = world;

test('a team keeps the order of its people, and there is one default', async () => {
  const [one, two] = [await person(), await person()];
  const team = await made('/teams', {
    name: 'Ops',
    default: true,
    user_ids: [two.id, one.id],
  });
  assert.deepEqual(team.user_ids, [two.id, one.id]);
  const teams = (await call('GET /teams')).body.data;
  const defaults = teams.filter((each: { default: boolean }) => each.default);
  assert.deepEqual(
    defaults.map((each: { id: string }) => each.id),
    [team.id],
  );
  const key = world.first.key;
  const unknown = { key, body: { user_ids: [one.id, 'e'.repeat(24)] } };
  const refused = await call(`PATCH /teams/${team.id}`, unknown);
  assert.deepEqual(refused.body.issues, [
    { path: 'user_ids[1]', message: 'does not match any user' },
  ]);
  const joined = await person('viewer', { team_ids: [team.id] });
  const after = (await call(`GET /teams/${team.id}`)).body;
  assert.deepEqual(after.user_ids, [two.id, one.id, joined.id]);
  await call(`PATCH /teams/${world.first.teamId}`, { key, body: { default: true } });
});

test('a team is archived when it owns nothing that is active', async () => {
  const team = await made('/teams', { name: 'Short-lived' });
  const at = new Date().toISOString();
  const service = 'a'.repeat(24);
  await world.sql`
    insert into services
      (organization_id, id, counter, version, team_id, name, created_at, updated_at)
    values (${world.first.organizationId}, ${service}, 1, 1, ${team.id}, 'Shop', ${at}, ${at})`;
  const refused = await call(`DELETE /teams/${team.id}`);
  assert.deepEqual([refused.status, refused.body.error], [409, 'conflict']);
  assert.deepEqual(refused.body.issues, [
    { path: service, message: 'the service "Shop" is still active' },
  ]);
  await world.sql`update services set archived_at = ${at} where id = ${service}`;
  const archived = await call(`DELETE /teams/${team.id}`);
  assert.equal(archived.status, 200);
  assert.deepEqual(Object.keys(archived.body), ['id', 'archived_at', 'warnings']);
  assert.deepEqual((await call(`DELETE /teams/${team.id}`)).body, archived.body);
  const key = world.first.key;
  const late = await call(`PATCH /teams/${team.id}`, { key, body: { name: 'Back' } });
  assert.equal(late.body.error, 'archived');
  assert.equal((await call(`GET /teams/${team.id}`)).body.archived_at, archived.body.archived_at);
  const listed = (await call('GET /teams?archived=true')).body.data;
  assert.ok(listed.some((each: { id: string }) => each.id === team.id));
});

test('a team is restored by an admin who is signed in, and is no second default', async () => {
  const team = await made('/teams', { name: 'Away', default: true });
  await call(`DELETE /teams/${team.id}`);
  const { key, teamId } = world.first;
  await call(`PATCH /teams/${teamId}`, { key, body: { default: true } });
  const restore = `POST /teams/${team.id}/restore`;
  assert.equal((await call(restore, { key })).body.error, 'restore_is_dashboard_only');
  const { session } = await world.member('admin');
  const { status, body } = await call(restore, { session });
  assert.deepEqual([status, 'archived_at' in body, body.default], [200, false, false]);
  assert.deepEqual((await call(restore, { session })).body, body);
});

test('the organization is read and patched', async () => {
  const key = world.first.key;
  const body = { name: 'Example & Co', monthly_alert_limit: 500 };
  assert.equal((await call('PATCH /organization', { key, body })).status, 200);
  const read = (await call('GET /organization')).body;
  assert.deepEqual([read.name, read.monthly_alert_limit], ['Example & Co', 500]);
  const wrong = await call('PATCH /organization', { key, body: { timezone: 'Moon' } });
  assert.equal(wrong.body.issues[0].path, 'timezone');
});
