import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { OWNER, PUBLIC_URL, peopleWorld } from '../../../test/people-world.ts';
import { removeExpired } from '../../storage/people/sign-ins.ts';

// Ends before the database server does, whose own hook comes with the first database.
after(() => world[Symbol.asyncDispose]());
const world = await peopleWorld();
// So that no test uses up the tries of another.
beforeEach(() => world.pass({ minutes: 6 }));

const form = { 'content-type': 'application/x-www-form-urlencoded', origin: PUBLIC_URL };

function post(url: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const payload = new URLSearchParams(fields).toString();
  return world.app.inject({ method: 'POST', url, payload, headers: { ...form, ...headers } });
}

async function invite(email: string, password: string, role = 'responder') {
  const body = { first_name: 'Lin', last_name: 'Wu', email, role };
  const made = await world.call('POST /users', { key: world.first.key, body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const session = await world.signIn(OWNER.email, OWNER.password);
  const set = { session, body: { password } };
  assert.equal((await world.call(`POST /users/${made.body.id}/password`, set)).status, 200);
  return made.body.id as string;
}

test('the form signs a person in, without JavaScript, in any case of the e-mail', async () => {
  const page = await world.app.inject('/sign-in');
  assert.equal(page.statusCode, 200);
  assert.match(page.body, /<form method="post" action="\/auth\/sign-in">/);
  assert.doesNotMatch(page.body, /<script/);
  const answer = await post('/auth/sign-in', { ...OWNER, email: 'ADA@example.COM' });
  assert.equal(answer.statusCode, 303);
  assert.equal(answer.headers.location, '/');
  const [cookie] = answer.cookies;
  assert.equal(cookie?.name, '__Secure-pager.session_token');
  assert.equal(cookie?.httpOnly, true);
  assert.equal(cookie?.secure, true);
  assert.equal(cookie?.sameSite, 'Lax');
  assert.equal(cookie?.path, '/');
  assert.equal(cookie?.maxAge, 14 * 86_400);
  const home = await world.app.inject({
    url: '/',
    headers: { cookie: `${cookie?.name}=${cookie?.value}` },
  });
  assert.match(home.body, /Ada@example\.com/);
  assert.match(home.body, /The dashboard is not built/);
  assert.match(String(home.headers['content-security-policy']), /default-src 'none'/);
});

test('over plain HTTP the cookie is not Secure, else it would never come back', async () => {
  await using plain = await peopleWorld('http://10.0.0.5:8080');
  const answer = await plain.app.inject({
    method: 'POST',
    url: '/auth/sign-in',
    payload: OWNER,
  });
  assert.equal(answer.cookies[0]?.name, 'pager.session_token');
  assert.equal(answer.cookies[0]?.secure, undefined);
  assert.equal(answer.cookies[0]?.httpOnly, true);
});

test('who is not signed in is sent to the form', async () => {
  const home = await world.app.inject('/');
  assert.equal(home.statusCode, 303);
  assert.equal(home.headers.location, '/sign-in');
  assert.equal((await world.call('GET /auth/session', {})).status, 401);
  assert.equal((await world.call('GET /users/me', {})).status, 401);
});

test('signing in leads back to the page that asked for it, also after a wrong password', async () => {
  const response = await world.app.inject('/sign-in?next=%2Fon-calls%2F1%3Fa%3D%221%22');
  const action = '/auth/sign-in?next=%2Fon-calls%2F1%3Fa%3D%25221%2522';
  assert.ok(response.body.includes(`action="${action}"`), response.body);
  const wrong = await post(action, { email: OWNER.email, password: 'not it, not it' });
  assert.ok(wrong.body.includes(`action="${action}"`), wrong.body);
  const right = await post(action, OWNER);
  assert.equal(right.headers.location, '/on-calls/1?a=%221%22');
  const cookie = right.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const again = await world.app.inject({ url: '/sign-in?next=/incidents/1', headers: { cookie } });
  assert.equal(again.headers.location, '/incidents/1');
});

test('a wrong password and an unknown e-mail get the same answer and no cookie', async () => {
  const wrong = await post('/auth/sign-in', { email: OWNER.email, password: 'not it, not it' });
  const unknown = await post('/auth/sign-in', { email: 'x@y.example', password: 'whatever it is' });
  for (const answer of [wrong, unknown]) {
    assert.equal(answer.statusCode, 401);
    assert.match(answer.body, /The e-mail or password is wrong/);
    assert.deepEqual(answer.cookies, []);
  }
  const blank = (text: string) => text.replace(/value="[^"]*"/, '');
  assert.equal(blank(wrong.body), blank(unknown.body));
});

test('what was typed is shown again without becoming markup', async () => {
  const answer = await post('/auth/sign-in', { email: '"><script>1</script>', password: 'x' });
  assert.doesNotMatch(answer.body, /<script>/);
  assert.match(answer.body, /&quot;&gt;&lt;script&gt;/);
});

test('a form of another site signs nobody in', async () => {
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])
    assert.equal((await post('/auth/sign-in', OWNER, headers)).statusCode, 403);
});

test('an inactive person cannot sign in, and their sessions die at once', async () => {
  const id = await invite('gone@example.com', 'a password to forget');
  const session = await world.signIn('gone@example.com', 'a password to forget');
  assert.equal((await world.call('GET /users/me', { session })).status, 200);
  const off = { key: world.first.key, body: { active: false } };
  assert.equal((await world.call(`PATCH /users/${id}`, off)).body.active, false);
  assert.equal((await world.call('GET /users/me', { session })).status, 401);
  await assert.rejects(world.signIn('gone@example.com', 'a password to forget'), /wrong/);
});

test('a new e-mail signs in, the old one no longer does', async () => {
  const id = await invite('before@example.com', 'one password for both');
  const session = await world.signIn(OWNER.email, OWNER.password);
  const moved = { session, body: { email: 'After@example.com' } };
  assert.equal((await world.call(`PATCH /users/${id}`, moved)).status, 200);
  await world.signIn('after@example.com', 'one password for both');
  await assert.rejects(world.signIn('before@example.com', 'one password for both'));
  const contacts = await world.call(`GET /users/${id}/contacts`);
  assert.deepEqual(
    contacts.body.data.map((one: { address: string }) => one.address),
    ['After@example.com'],
  );
});

test('any address that a user may have can sign in', async () => {
  for (const email of ['root@localhost', 'jürgen@müller.example']) {
    await invite(email, 'a password for all');
    await world.signIn(email.toUpperCase(), 'a password for all');
  }
});

test('a session writes only from our own pages, and only with its token', async () => {
  const { cookie, csrf } = await world.signIn(OWNER.email, OWNER.password);
  const other = await world.signIn(OWNER.email, OWNER.password);
  const own = { 'sec-fetch-site': 'same-origin', 'x-csrf-token': csrf };
  const cases: [Record<string, string>, number][] = [
    [own, 200],
    [{ origin: PUBLIC_URL, 'x-csrf-token': csrf }, 200],
    [{ 'x-csrf-token': csrf }, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 403],
    [{ ...own, 'x-csrf-token': other.csrf }, 403],
    [{ ...own, 'sec-fetch-site': 'cross-site' }, 403],
    [{ origin: 'https://evil.example', 'x-csrf-token': csrf }, 403],
  ];
  for (const [headers, status] of cases) {
    const request = { headers: { ...headers, cookie }, body: { name: 'Example' } };
    const answer = await world.call('PATCH /organization', request);
    assert.equal(answer.status, status, JSON.stringify(headers));
    if (status === 403) assert.equal(answer.body.error, 'csrf');
  }
  assert.equal((await world.call('GET /organization', { headers: { cookie } })).status, 200);
});

test('signing out ends the session, and needs the token too', async () => {
  const session = await world.signIn(OWNER.email, OWNER.password);
  const headers = { cookie: session.cookie };
  assert.equal((await post('/auth/sign-out', {}, headers)).statusCode, 403);
  const out = await post('/auth/sign-out', { csrf_token: session.csrf }, headers);
  assert.equal(out.statusCode, 303);
  assert.equal((await world.call('GET /users/me', { session })).status, 401);
});

test('a changed password ends the other sessions', async () => {
  await invite('change@example.com', 'the first password');
  const here = await world.signIn('change@example.com', 'the first password');
  const there = await world.signIn('change@example.com', 'the first password');
  const change = (current: string, next: string) =>
    world.call('POST /auth/change-password', {
      session: here,
      body: { current_password: current, new_password: next },
    });
  assert.equal((await change('wrong password', 'the second password')).status, 422);
  assert.equal((await change('the first password', 'short')).status, 422);
  assert.equal((await change('the first password', 'the second password')).status, 200);
  assert.equal((await world.call('GET /users/me', { session: there })).status, 401);
  await world.signIn('change@example.com', 'the second password');
  await assert.rejects(world.signIn('change@example.com', 'the first password'));
});

test('a session lasts 14 days from its last use, to the day', async () => {
  const session = await world.signIn(OWNER.email, OWNER.password);
  const me = (await world.call('GET /auth/session', { session })).body;
  const [row] = await world.sql<{ token: string }[]>`
    update auth_sessions set expires_at = expires_at - interval '2 days'
    where id = (select id from auth_sessions order by id desc limit 1) returning token`;
  assert.ok(row);
  const refreshed = await world.app.inject({
    url: '/auth/session',
    headers: { cookie: session.cookie },
  });
  assert.ok(refreshed.json().expires_at >= me.expires_at);
  assert.equal(refreshed.cookies[0]?.maxAge, 14 * 86_400);
  await world.sql`update auth_sessions set expires_at = '2020-01-01' where token = ${row.token}`;
  assert.equal((await world.call('GET /users/me', { session })).status, 401);
});

test('sessions that are over are forgotten, the others stay', async () => {
  const session = await world.signIn(OWNER.email, OWNER.password);
  const over = await world.signIn(OWNER.email, OWNER.password);
  await world.sql`
    update auth_sessions set expires_at = '2020-01-01'
    where id = (select id from auth_sessions order by id desc limit 1)`;
  const count = async () => (await world.sql`select id from auth_sessions`).length;
  const before = await count();
  await removeExpired(world.sql, Temporal.Now.instant());
  assert.ok((await count()) < before);
  assert.equal((await world.call('GET /users/me', { session })).status, 200);
  assert.equal((await world.call('GET /users/me', { session: over })).status, 401);
});

test('who tries too often waits, and a browser that signed in before does not', async () => {
  await using fresh = await peopleWorld();
  const attempt = (email: string, password: string, cookie = '') =>
    fresh.app.inject({
      method: 'POST',
      url: '/auth/sign-in',
      payload: { email, password },
      headers: { cookie },
    });
  const first = await attempt(OWNER.email, OWNER.password);
  const known = [first.headers['set-cookie'] ?? []].flat().find((one) => /known_browser/.test(one));
  for (let tried = 0; tried < 5; tried += 1)
    assert.equal((await attempt(OWNER.email, 'wrong')).statusCode, 401);
  const refused = await attempt(OWNER.email.toLowerCase(), OWNER.password);
  assert.equal(refused.statusCode, 429);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.equal((await attempt('another@example.com', 'wrong')).statusCode, 401);
  assert.equal((await attempt(OWNER.email, OWNER.password, known?.split(';')[0])).statusCode, 200);
  assert.equal((await attempt(OWNER.email, 'wrong', 'pager.known_browser=1')).statusCode, 429);
  fresh.pass({ minutes: 1 });
  assert.equal((await attempt(OWNER.email, OWNER.password)).statusCode, 200);
});

test('nobody signs up, and no other route of the library is there', async () => {
  for (const path of ['sign-up/email', 'sign-in/email', 'get-session', 'update-user', 'ok'])
    assert.equal((await post(`/auth/${path}`, OWNER)).statusCode, 404, path);
});
