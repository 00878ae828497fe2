import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { OWNER, peopleWorld } from '../../../test/people-world.ts';

// Ends before the database server does, whose own hook comes with the first database.
after(() => world[Symbol.asyncDispose]());
const world = await peopleWorld();
beforeEach(() => world.pass({ minutes: 6 }));

const { call, made, person, member } = world;

test('the first start makes an organization, its owner, team and key', async () => {
  const { first } = world;
  assert.match(first.password ?? '', /^$/);
  assert.match(first.key, /^pgr_[0-9a-f]{40}$/);
  const organization = (await call('GET /organization')).body;
  assert.equal(organization.id, first.organizationId);
  const [team] = (await call('GET /teams')).body.data;
  assert.deepEqual([team.id, team.default, team.user_ids], [first.teamId, true, [first.userId]]);
  const owner = (await call(`GET /users/${first.userId}`)).body;
  assert.deepEqual([owner.role, owner.email, owner.active], ['owner', OWNER.email, true]);
});

test('an e-mail is taken in any case of letters', async () => {
  const body = { first_name: 'A', last_name: 'B', email: 'ADA@EXAMPLE.com', role: 'viewer' };
  const answer = await call('POST /users', { key: world.first.key, body });
  assert.equal(answer.status, 409);
  assert.deepEqual([answer.body.error, answer.body.issues[0].path], ['conflict', 'email']);
});

test('every mistake of a request is told at once, at its path', async () => {
  const body = { email: 'nobody', role: 'king', timezone: 'Mars', team_ids: ['x'], age: 7 };
  const answer = await call('POST /users', { key: world.first.key, body });
  assert.equal(answer.status, 422);
  const paths = answer.body.issues.map((one: { path: string }) => one.path);
  for (const path of ['email', 'role', 'timezone', 'team_ids[0]', 'age', 'first_name'])
    assert.ok(paths.includes(path), path);
  const team_ids = [world.first.teamId, 'f'.repeat(24)];
  const unknown = await call('POST /users', {
    key: world.first.key,
    body: { first_name: 'A', last_name: '', email: 'a@b.example', role: 'viewer', team_ids },
  });
  assert.deepEqual(unknown.body.issues, [
    { path: 'team_ids[1]', message: 'does not match any active team' },
  ]);
});

test('PATCH changes what it names, PUT names everything anew, null takes away', async () => {
  const user = await person('viewer', { timezone: 'Asia/Tokyo', team_ids: [world.first.teamId] });
  const key = world.first.key;
  const patched = await call(`PATCH /users/${user.id}`, { key, body: { last_name: 'Wu' } });
  assert.deepEqual(
    [patched.body.last_name, patched.body.timezone, patched.body.version],
    ['Wu', 'Asia/Tokyo', 2],
  );
  const cleared = await call(`PATCH /users/${user.id}`, { key, body: { timezone: null } });
  assert.equal('timezone' in cleared.body, false);
  const { first_name, email, role } = user;
  const body = { first_name, last_name: 'X', email, role };
  const put = await call(`PUT /users/${user.id}`, { key, body });
  assert.deepEqual([put.body.last_name, put.body.team_ids], ['X', []]);
  const stale = await call(`PUT /users/${user.id}`, { key, body, headers: { 'if-match': '2' } });
  assert.deepEqual([stale.status, stale.body.error], [409, 'stale_version']);
});

test('users are listed page by page, and found by e-mail, role, team', async () => {
  await person('manager');
  await person('manager');
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await call(`GET /users?limit=2${cursor ? `&cursor=${cursor}` : ''}`);
    assert.ok(page.body.data.length <= 2);
    seen.push(...page.body.data.map((one: { id: string }) => one.id));
    cursor = page.body.next_cursor;
  } while (cursor !== null);
  assert.equal(new Set(seen).size, seen.length);
  const [{ count } = { count: 0 }] = await world.sql<{ count: number }[]>`
    select count(*) from users`;
  assert.equal(seen.length, count);
  const user = (await call('GET /users?email=aDA@example.com')).body.data;
  assert.deepEqual(
    user.map((one: { id: string }) => one.id),
    [world.first.userId],
  );
  assert.equal((await call('GET /users?role=manager')).body.data.length >= 2, true);
  assert.equal((await call(`GET /users?team_id=${world.first.teamId}`)).body.data.length, 1);
  for (const wrong of ['limit=0', 'cursor=x', 'role=king', 'active=maybe'])
    assert.equal((await call(`GET /users?${wrong}`)).status, 422, wrong);
  assert.equal((await call('GET /users?nonsense=1')).status, 400);
});

test('only owners make, change and unmake owners', async () => {
  const { key } = await made('/api-keys', { name: 'admin', role: 'admin' });
  const user = await person('admin');
  const promote = { key, body: { role: 'owner' } };
  assert.equal((await call(`PATCH /users/${user.id}`, promote)).status, 403);
  const body = { first_name: 'A', last_name: '', email: 'own@example.com', role: 'owner' };
  assert.equal((await call('POST /users', { key, body })).status, 403);
  const steal = { key, body: { email: 'thief@example.com' } };
  assert.equal((await call(`PATCH /users/${world.first.userId}`, steal)).status, 403);
  const { session } = await member('admin');
  const promoting = { session, body: { role: 'owner' } };
  const bySession = await call(`PATCH /users/${user.id}`, promoting);
  assert.deepEqual([bySession.status, bySession.body.error], [403, 'forbidden']);
  const password = { session, body: { password: 'the thief knows it' } };
  assert.equal((await call(`POST /users/${world.first.userId}/password`, password)).status, 403);
});

test('no key makes, raises or activates an admin or owner, or changes an address', async () => {
  const session = await world.signIn(OWNER.email, OWNER.password);
  const by = { key: world.first.key };
  const name = { first_name: 'Eve', last_name: '' };
  const refused = async (line: string, body: object, path: string) => {
    const answer = await call(line, { ...by, body });
    assert.deepEqual([answer.status, answer.body.error], [403, 'session_only'], line);
    assert.deepEqual(
      answer.body.issues.map((one: { path: string }) => one.path),
      [path],
    );
  };
  for (const role of ['admin', 'owner'])
    await refused('POST /users', { ...name, email: 'eve@example.com', role }, 'role');
  const manager = await person('manager');
  const admin = await person('admin');
  const ofManager = `PATCH /users/${manager.id}`;
  const ofAdmin = `PATCH /users/${admin.id}`;
  await refused(ofManager, { role: 'admin' }, 'role');
  await refused(ofAdmin, { role: 'owner' }, 'role');
  for (const line of [ofManager, ofAdmin]) {
    await refused(line, { email: 'eve@example.com' }, 'email');
    assert.equal((await call(line, { ...by, body: { last_name: 'Wu' } })).status, 200);
  }
  const { first_name, last_name, email } = manager;
  const whole = { first_name, last_name, email };
  await refused(`PUT /users/${manager.id}`, { ...whole, role: 'owner' }, 'role');
  // Whoever left knows their password still.
  assert.equal((await call(ofAdmin, { ...by, body: { active: false } })).status, 200);
  await refused(ofAdmin, { active: true }, 'active');
  await refused(ofAdmin, { active: true, role: 'admin' }, 'active');
  const lowered = await call(ofAdmin, { ...by, body: { active: true, role: 'manager' } });
  assert.deepEqual([lowered.status, lowered.body.role], [200, 'manager']);
  for (const role of ['viewer', 'responder', 'manager'])
    assert.equal((await call(ofManager, { ...by, body: { role } })).status, 200);
  const raised = await call(ofManager, { session, body: { role: 'owner' } });
  assert.deepEqual([raised.status, raised.body.role], [200, 'owner']);
  await world.sql`update users set role = 'manager' where id = ${manager.id}`;
});

test('the last active owner stays, also when two leave at the same moment', async () => {
  const key = world.first.key;
  const path = `PATCH /users/${world.first.userId}`;
  const demoted = await call(path, { key, body: { role: 'admin' } });
  assert.deepEqual([demoted.status, demoted.body.issues[0].path], [409, 'role']);
  const off = await call(path, { key, body: { active: false } });
  assert.deepEqual([off.status, off.body.issues[0].path], [409, 'active']);
  const second = await person('owner');
  const both = [world.first.userId, second.id].map((id) =>
    call(`PATCH /users/${id}`, { key, body: { active: false } }),
  );
  const statuses = (await Promise.all(both)).map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, 409]);
  await world.sql`update users set active = true where id = ${world.first.userId}`;
  await world.sql`update users set active = false where id = ${second.id}`;
});

test('who is not active is refused at once, with session and keys, until active again', async () => {
  const { user, session } = await member('admin');
  const makeKey = (name: string, by: object) =>
    call('POST /api-keys', { ...by, body: { name, role: 'viewer' } });
  const own = (await makeKey('Terraform', { session })).body;
  assert.equal(own.user_id, user.id);
  const admins = (await call('POST /api-keys', { session, body: { name: 'A', role: 'admin' } }))
    .body;
  const byKey = (await makeKey('CI', { key: admins.key })).body;
  assert.equal(byKey.user_id, user.id, 'what a key of theirs made is theirs too');
  const organizations = (await makeKey('Robot', { key: world.first.key })).body;
  assert.equal('user_id' in organizations, false);
  const statuses = async () => {
    const by = [{ session }, { key: own.key }, { key: byKey.key }, { key: organizations.key }];
    return (await Promise.all(by.map((text) => call('GET /teams', text)))).map((r) => r.status);
  };
  const owner = await world.signIn(OWNER.email, OWNER.password);
  const set = (active: boolean) =>
    call(`PATCH /users/${user.id}`, { session: owner, body: { active } });
  assert.deepEqual(await statuses(), [200, 200, 200, 200]);
  const away = await set(false);
  assert.deepEqual(away.body.warnings, [
    'The API key "Terraform" is refused while this person is not active.',
    'The API key "A" is refused while this person is not active.',
    'The API key "CI" is refused while this person is not active.',
  ]);
  assert.deepEqual(await statuses(), [401, 401, 401, 200]);
  assert.equal('warnings' in (await set(true)).body, false);
  assert.deepEqual(await statuses(), [401, 200, 200, 200], 'a session is begun anew');
});

test('a key does no more than its person may by now', async () => {
  const { user, session } = await member('admin');
  const body = { name: 'Robot', role: 'admin' };
  const { key } = (await call('POST /api-keys', { session, body })).body;
  assert.equal((await call('GET /api-keys', { key })).status, 200);
  await call(`PATCH /users/${user.id}`, { key: world.first.key, body: { role: 'viewer' } });
  const refused = await call('GET /api-keys', { key });
  assert.deepEqual(
    [refused.status, refused.body.message],
    [403, 'You need the role admin or above.'],
  );
  assert.equal((await call('GET /teams', { key })).status, 200);
});
