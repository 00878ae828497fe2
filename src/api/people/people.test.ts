import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { OWNER, peopleWorld } from '../../../test/people-world.ts';
import { roles } from '../route.ts';

// Ends before the database server does, whose own hook comes with the first database.
after(() => world[Symbol.asyncDispose]());
const world = await peopleWorld();
beforeEach(() => world.pass({ minutes: 6 }));

const call = world.call;
const made = async (line: string, body: object, key = world.first.key) => {
  const answer = await call(line, { key, body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
};

let people = 0;
function person(role = 'responder', more: object = {}) {
  people += 1;
  const email = `person${people}@example.com`;
  return made('POST /users', { first_name: 'Lin', last_name: '', email, role, ...more });
}

async function signedIn(role: string) {
  const user = await person(role);
  const session = await world.signIn(OWNER.email, OWNER.password);
  const password = 'one two three four';
  const set = await call(`POST /users/${user.id}/password`, { session, body: { password } });
  assert.equal(set.status, 200);
  return { user, session: await world.signIn(user.email, password) };
}

test('the first start makes one organisation, its owner, team and key, and no second one', async () => {
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

test('every role may do what its row says, and no more', async () => {
  const ids = { user: world.first.userId, team: world.first.teamId };
  const lines: [string, object | undefined, (typeof roles)[number]][] = [
    ['GET /users', undefined, 'viewer'],
    [`GET /users/${ids.user}/contacts`, undefined, 'viewer'],
    ['GET /teams', undefined, 'viewer'],
    ['GET /organization', undefined, 'viewer'],
    ['PATCH /organization', { name: 'Example' }, 'admin'],
    ['GET /api-keys', undefined, 'admin'],
    [`PATCH /teams/${ids.team}`, { name: 'Default' }, 'admin'],
    [`PATCH /users/${ids.user}`, { last_name: '' }, 'owner'],
    [`POST /users/${ids.user}/contacts`, { channel: 'sms', address: 'no' }, 'admin'],
  ];
  for (const role of roles) {
    const { key } = await made('POST /api-keys', { name: role, role });
    for (const [line, body, needed] of lines) {
      const { status } = await call(line, { key, ...(body && { body }) });
      const isAllowed = roles.indexOf(role) >= roles.indexOf(needed);
      assert.equal(status !== 403, isAllowed, `${role}: ${line} answers ${status}`);
    }
  }
});

test('a user is active at once, and the sign-in address is a verified contact', async () => {
  const user = await person('viewer', { timezone: 'Europe/Berlin' });
  assert.equal(user.active, true);
  assert.deepEqual(user.team_ids, []);
  assert.equal(user.version, 1);
  const contacts = (await call(`GET /users/${user.id}/contacts`)).body.data;
  assert.equal(contacts.length, 1);
  assert.deepEqual(
    [contacts[0].channel, contacts[0].address, contacts[0].verified],
    ['email', user.email, true],
  );
  const gone = await call(`DELETE /users/${user.id}/contacts/${contacts[0].id}`);
  assert.deepEqual([gone.status, gone.body.issues[0].path], [409, 'address']);
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
  assert.deepEqual(unknown.body.issues, [{ path: 'team_ids[1]', message: 'names no active team' }]);
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
  const found = (await call('GET /users?email=aDA@example.com')).body.data;
  assert.deepEqual(
    found.map((one: { id: string }) => one.id),
    [world.first.userId],
  );
  assert.equal((await call('GET /users?role=manager')).body.data.length >= 2, true);
  assert.equal((await call(`GET /users?team_id=${world.first.teamId}`)).body.data.length, 1);
  for (const wrong of ['limit=0', 'cursor=x', 'role=king', 'active=maybe', 'nonsense=1'])
    assert.equal((await call(`GET /users?${wrong}`)).status, 400, wrong);
});

test('only owners make, change and unmake owners', async () => {
  const { key } = await made('POST /api-keys', { name: 'admin', role: 'admin' });
  const user = await person('admin');
  const promote = { key, body: { role: 'owner' } };
  assert.equal((await call(`PATCH /users/${user.id}`, promote)).status, 403);
  const body = { first_name: 'A', last_name: '', email: 'own@example.com', role: 'owner' };
  assert.equal((await call('POST /users', { key, body })).status, 403);
  const steal = { key, body: { email: 'thief@example.com' } };
  assert.equal((await call(`PATCH /users/${world.first.userId}`, steal)).status, 403);
  const { session } = await signedIn('admin');
  const password = { session, body: { password: 'the thief knows it' } };
  assert.equal((await call(`POST /users/${world.first.userId}/password`, password)).status, 403);
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

test('a team keeps the order of its people, and there is one default', async () => {
  const [one, two] = [await person(), await person()];
  const team = await made('POST /teams', {
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
  assert.deepEqual(refused.body.issues, [{ path: 'user_ids[1]', message: 'names no user' }]);
  const joined = await person('viewer', { team_ids: [team.id] });
  const after = (await call(`GET /teams/${team.id}`)).body;
  assert.deepEqual(after.user_ids, [two.id, one.id, joined.id]);
  await call(`PATCH /teams/${world.first.teamId}`, { key, body: { default: true } });
});

test('a team is archived when it owns nothing active, and named what it owns otherwise', async () => {
  const team = await made('POST /teams', { name: 'Short-lived' });
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

test('the organisation is read and patched', async () => {
  const key = world.first.key;
  const body = { name: 'Example & Co', monthly_alert_limit: 500 };
  assert.equal((await call('PATCH /organization', { key, body })).status, 200);
  const read = (await call('GET /organization')).body;
  assert.deepEqual([read.name, read.monthly_alert_limit], ['Example & Co', 500]);
  const wrong = await call('PATCH /organization', { key, body: { timezone: 'Moon' } });
  assert.equal(wrong.body.issues[0].path, 'timezone');
});

test('a contact is verified by its owner, with the code that was sent', async () => {
  const { user, session } = await signedIn('responder');
  const path = `/users/${user.id}/contacts`;
  const body = { channel: 'phone', address: '+4915112345678' };
  const contact = (await call(`POST ${path}`, { session, body })).body;
  assert.equal(contact.verified, false);
  assert.equal((await call(`POST ${path}`, { session, body })).status, 409);
  const code = `POST ${path}/${contact.id}/code`;
  const verify = `POST ${path}/${contact.id}/verify`;
  const owner = await world.signIn(OWNER.email, OWNER.password);
  assert.equal((await call(code, { session: owner })).status, 403);
  assert.equal((await call(code)).status, 403);
  assert.equal((await call(code, { session })).status, 202);
  assert.equal((await call(code, { session })).status, 429);
  const sent = world.codes.at(-1);
  assert.equal(sent?.address, '+4915112345678');
  const right = { session, body: { code: sent?.code } };
  assert.equal((await call(verify, { ...right, session: owner })).status, 403);
  const wrong = { session, body: { code: sent?.code === '000000' ? '000001' : '000000' } };
  for (let tried = 0; tried < 5; tried += 1) assert.equal((await call(verify, wrong)).status, 422);
  assert.equal((await call(verify, right)).status, 422, 'too many tries');
  world.pass({ minutes: 2 });
  assert.equal((await call(code, { session })).status, 202);
  const again = { session, body: { code: world.codes.at(-1)?.code } };
  assert.equal((await call(verify, again)).body.verified, true);
  const others = await person();
  const foreign = await call(`POST /users/${others.id}/contacts`, { session, body });
  assert.equal(foreign.status, 403);
  assert.equal((await call(`DELETE ${path}/${contact.id}`, { session })).status, 200);
});

test('another organisation sees nothing of this one', async () => {
  const other = await otherOrganization();
  const mine = await made('POST /api-keys', { name: 'mine', role: 'viewer' });
  const { userId, teamId } = world.first;
  const key = other.key;
  const contact = (await call(`GET /users/${userId}/contacts`)).body.data[0].id;
  const code = { key, body: { code: '123456' } };
  for (const [line, said] of [
    [`GET /users/${userId}`, { key }],
    [`PATCH /users/${userId}`, { key, body: { last_name: 'X' } }],
    [`PUT /users/${userId}`, { key, body: {} }],
    [`GET /users/${userId}/contacts`, { key }],
    [`POST /users/${userId}/contacts`, { key, body: { channel: 'sms', address: '+4915100000' } }],
    [`DELETE /users/${userId}/contacts/${contact}`, { key }],
    [`GET /teams/${teamId}`, { key }],
    [`PATCH /teams/${teamId}`, { key, body: { name: 'X' } }],
    [`DELETE /teams/${teamId}`, { key }],
    [`GET /api-keys/${mine.id}`, { key }],
    [`PATCH /api-keys/${mine.id}`, { key, body: { name: 'X' } }],
    [`DELETE /api-keys/${mine.id}`, { key }],
  ] as const) {
    const answer = await call(line, said);
    assert.deepEqual([answer.status, answer.body.error], [404, 'not_found'], line);
  }
  assert.equal((await call(`POST /users/${userId}/contacts/${contact}/verify`, code)).status, 403);
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
  const { id: keyId, key } = await made('POST /api-keys', { name: 'other', role: 'owner' });
  await world.sql`update api_keys set organization_id = ${id} where id = ${keyId}`;
  return { id, key };
}

test('whatever is written stands in the audit log, with who did it and no secret', async () => {
  const { id, key } = await made('POST /api-keys', { name: 'audited', role: 'viewer' });
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
