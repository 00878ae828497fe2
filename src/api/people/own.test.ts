import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { peopleWorld } from '../../../test/people-world.ts';

// Ends before the database server does, whose own hook comes with the first database.
after(() => world[Symbol.asyncDispose]());
const world = await peopleWorld();
const { call, member } = world;

test('people change their name, time zone and language, and nothing else of themselves', async () => {
  const { user, session } = await member('viewer');
  const change = (body: object, headers = {}) =>
    call('PATCH /users/me', { session, body, headers });
  const changed = await change({ last_name: 'Wu', timezone: 'Asia/Tokyo' });
  assert.deepEqual(
    [changed.body.first_name, changed.body.last_name, changed.body.timezone, changed.body.role],
    [user.first_name, 'Wu', 'Asia/Tokyo', 'viewer'],
  );
  assert.equal('timezone' in (await change({ timezone: null })).body, false);
  assert.equal((await change({ language: 'fr' })).body.language, 'fr');
  assert.equal((await change({ last_name: 'Wei' })).body.language, 'fr');
  assert.equal('language' in (await change({ language: null })).body, false);
  for (const wrong of [
    { role: 'owner' },
    { email: 'x@example.com' },
    { timezone: 'Mars' },
    { language: 'it' },
  ])
    assert.equal((await change(wrong)).status, 422, JSON.stringify(wrong));
  assert.equal((await change({ last_name: 'X' }, { 'if-match': '1' })).body.error, 'stale_version');
  const key = world.first.key;
  assert.equal((await call('PATCH /users/me', { key, body: { last_name: 'X' } })).status, 404);
});

test('a session says where its person belongs', async () => {
  const { user, session } = await member('responder');
  const read = async () => (await call('GET /auth/session', { session })).body;
  const organization = { id: world.first.organizationId, name: 'Example', timezone: 'Etc/UTC' };
  const before = await read();
  assert.deepEqual(
    [before.organization, before.teams, before.user.id],
    [organization, [], user.id],
  );
  const team = await world.made('/teams', { name: 'Databases', user_ids: [user.id] });
  await call('PATCH /users/me', { session, body: { timezone: 'Asia/Tokyo' } });
  const after = await read();
  assert.deepEqual(after.teams, [{ id: team.id, name: 'Databases' }]);
  assert.equal(after.user.timezone, 'Asia/Tokyo');
});
