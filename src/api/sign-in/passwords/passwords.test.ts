import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { OWNER, PUBLIC_URL, peopleWorld } from '../../../../test/people-world.ts';
import { startMailServer } from '../../../../test/system/notice-servers.ts';
import { accessLimits } from '../../../limits/access.ts';
import { removeExpired } from '../../../storage/people/sign-ins.ts';

// Ends before the database server does, whose own hook comes with the first database.
after(() => world[Symbol.asyncDispose]());
const world = await peopleWorld();
// So that no test uses up the tries of another.
beforeEach(() => world.pass({ hours: 2 }));

const PASSWORD = 'a password of my own';
const form = { 'content-type': 'application/x-www-form-urlencoded', origin: PUBLIC_URL };

type World = typeof world;

function post(url: string, fields: Record<string, string>, at: World = world, headers = {}) {
  const payload = new URLSearchParams(fields).toString();
  return at.app.inject({ method: 'POST', url, payload, headers: { ...form, ...headers } });
}

const owner = (at: World = world) => at.signIn(OWNER.email, OWNER.password);

async function invite(id: string, at: World = world) {
  return at.call(`POST /users/${id}/invitation`, { session: await owner(at) });
}

/** The page of the link in the last mail of that kind to that address. */
async function linkTo(email: string, at: World = world): Promise<string> {
  await at.idle();
  const isLink = /https:\/\/pager\.example\.com(\/set-password\/[0-9a-f]{64})/;
  const sent = at.mail.mails.filter(({ to, text }) => to === email && isLink.test(text));
  return isLink.exec(sent.at(-1)?.text ?? '')?.[1] ?? assert.fail(`no link to ${email}`);
}

const countTo = (email: string, subject: RegExp) =>
  world.mail.mails.filter((mail) => mail.to === email && subject.test(mail.subject)).length;

test('an invited person sets a password by the link of the mail, once, and is signed in', async () => {
  const user = await world.person();
  const invited = await invite(user.id);
  assert.equal(invited.status, 201, JSON.stringify(invited.body));
  assert.deepEqual(Object.keys(invited.body).sort(), ['email', 'expires_at', 'id']);
  const link = await linkTo(user.email);
  const page = await world.app.inject(link);
  assert.equal(page.statusCode, 200);
  assert.match(page.body, /You are invited to Example/);
  // The one script proposes the time zone of the browser.
  assert.deepEqual(page.body.match(/<script[^?]*/g), [
    '<script type="module" src="/pages/time-zone.js',
  ]);
  assert.equal(page.headers['referrer-policy'], 'same-origin');
  const done = await post(link, { password: PASSWORD });
  assert.equal(done.statusCode, 303, done.body);
  const cookie = done.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const me = await world.call('GET /users/me', { headers: { cookie } });
  assert.equal(me.body.id, user.id);
  await world.signIn(user.email, PASSWORD);
  for (const answer of [await world.app.inject(link), await post(link, { password: PASSWORD })]) {
    assert.equal(answer.statusCode, 404);
    assert.match(answer.body, /no longer valid/);
    assert.match(String(answer.headers['content-type']), /html/);
  }
  const { body } = await world.call('GET /audit-log');
  const own = body.data.filter((entry: { record_id: string }) => entry.record_id === user.id);
  const [accepted, sent] = own;
  assert.deepEqual([accepted.action, accepted.actor.id], ['set_password', user.id]);
  assert.equal(sent.action, 'invite');
  assert.equal((await invite(user.id)).status, 409);
});

test('whoever accepts an invitation chooses a time zone, and whoever resets a password does not', async () => {
  const user = await world.person();
  await invite(user.id);
  const link = await linkTo(user.email);
  const zoneOf = async () => (await world.call(`GET /users/${user.id}`)).body.timezone;
  const refused = await post(link, { password: PASSWORD, timezone: 'Mars/Olympus' });
  assert.deepEqual([refused.statusCode, await zoneOf()], [422, undefined]);
  assert.match(refused.body, /This time zone is unknown/);
  const done = await post(link, { password: PASSWORD, timezone: 'Europe/Berlin' });
  assert.deepEqual([done.statusCode, await zoneOf()], [303, 'Europe/Berlin']);
  await post('/auth/lost-password', { email: user.email });
  await world.idle();
  const reset = await linkTo(user.email);
  const page = await world.app.inject(reset);
  assert.doesNotMatch(page.body, /<script|timezone/);
  const again = await post(reset, { password: PASSWORD, timezone: 'Asia/Tokyo' });
  assert.deepEqual([again.statusCode, await zoneOf()], [303, 'Europe/Berlin']);
});

test('of two who press the button at once, one sets the password', async () => {
  const user = await world.person();
  await invite(user.id);
  const link = await linkTo(user.email);
  const passwords = ['the first password', 'the second password'];
  const both = await Promise.all(passwords.map((password) => post(link, { password })));
  assert.deepEqual(both.map(({ statusCode }) => statusCode).sort(), [303, 404]);
});

test('another invitation ends the one before, and so does whatever ends the person’s sessions', async () => {
  const user = await world.person();
  await invite(user.id);
  const first = await linkTo(user.email);
  await invite(user.id);
  const second = await linkTo(user.email);
  assert.notEqual(first, second);
  assert.equal((await world.app.inject(first)).statusCode, 404);
  assert.equal((await world.app.inject(second)).statusCode, 200);
  const session = await owner();
  const change = async (body: object) =>
    assert.equal((await world.call(`PATCH /users/${user.id}`, { session, body })).status, 200);
  await change({ active: false });
  await change({ active: true });
  assert.equal((await world.app.inject(second)).statusCode, 404);
  await invite(user.id);
  const third = await linkTo(user.email);
  await change({ email: 'moved@example.com' });
  assert.equal((await world.app.inject(third)).statusCode, 404);
});

test('an invitation expires, and is then removed', async () => {
  const user = await world.person();
  const { body } = await invite(user.id);
  const link = await linkTo(user.email);
  world.pass({ hours: accessLimits.invitationDays * 24 - 1 });
  assert.equal((await world.app.inject(link)).statusCode, 200);
  world.pass({ hours: 2 });
  assert.equal((await world.app.inject(link)).statusCode, 404);
  assert.equal((await post(link, { password: PASSWORD })).statusCode, 404);
  await removeExpired(world.sql, Temporal.Instant.from(body.expires_at).add({ seconds: 1 }));
  assert.equal((await world.sql`select from password_links where user_id = ${user.id}`).length, 0);
});

test('where no mail leaves the server, the link is answered once, to be copied', async () => {
  await using quiet = await peopleWorld(PUBLIC_URL, false);
  const user = await quiet.person();
  const headers = { 'idempotency-key': 'once' };
  const session = await owner(quiet);
  const line = `POST /users/${user.id}/invitation`;
  const { status, body } = await quiet.call(line, { session, headers });
  assert.equal(status, 201);
  const again = await quiet.call(line, { session, headers });
  assert.deepEqual([again.status, again.body.url], [201, undefined]);
  const done = await post(new URL(body.url).pathname, { password: PASSWORD }, quiet);
  assert.equal(done.statusCode, 303, done.body);
  assert.equal(quiet.mail.mails.length, 0);
  assert.match((await quiet.app.inject('/sign-in')).body, /lost-password/);
  const { body: help } = await quiet.app.inject('/lost-password');
  assert.match(help, /pagerctl reset-password/);
  assert.match(help, /pagerctl sign-in-link/);
  assert.equal((await post('/auth/lost-password', { email: OWNER.email }, quiet)).statusCode, 503);
});

test('an admin takes the link in place of a mail, which ends what was mailed', async () => {
  const user = await world.person();
  const invitations = async (session: Awaited<ReturnType<typeof owner>>) => {
    const { status, body } = await world.call('GET /users?include=invitations&limit=200', {
      session,
    });
    return status === 200 ? body.invitations[user.id] : status;
  };
  const session = await owner();
  assert.deepEqual(await invitations(session), {}, 'added, and not invited');
  await invite(user.id);
  const mailed = await linkTo(user.email);
  const before = world.mail.mails.length;
  const body = { deliver_by: 'link' };
  const answer = await world.call(`POST /users/${user.id}/invitation`, { session, body });
  assert.equal(answer.status, 201);
  assert.equal(world.mail.mails.length, before);
  assert.equal((await world.app.inject(mailed)).statusCode, 404);
  const { invited_at, invited_by, expires_at } = await invitations(session);
  assert.deepEqual([invited_by, expires_at], ['Ada', answer.body.expires_at]);
  assert.ok(Date.parse(invited_at) < Date.parse(expires_at));
  const set = await post(new URL(answer.body.url).pathname, { password: PASSWORD });
  assert.equal(set.statusCode, 303);
  assert.equal(await invitations(session), undefined, 'they have a password');
  const own = await world.signIn(user.email, PASSWORD);
  assert.equal(await invitations(own), 403, 'for admins');
});

test('an invitation that could not be sent is sent when it is requested again by the same key', async () => {
  await using broken = await peopleWorld();
  const { id, email } = await broken.person();
  const request = { session: await owner(broken), headers: { 'idempotency-key': 'once' } };
  const line = `POST /users/${id}/invitation`;
  await broken.mail[Symbol.asyncDispose]();
  assert.equal((await broken.call(line, request)).status, 503);
  await using mended = await startMailServer(broken.mail.port);
  assert.equal((await broken.call(line, request)).status, 201);
  assert.deepEqual(
    mended.mails.map(({ to }) => to),
    [email],
  );
  assert.equal((await broken.call(line, request)).status, 201);
  assert.equal(mended.mails.length, 1);
});

test('only admins invite, owners only owners, and no API key anybody', async () => {
  const target = await world.person();
  const manager = await world.member('manager');
  const admin = await world.member('admin');
  const other = await world.person('owner');
  const as = (session: object, id: string) =>
    world.call(`POST /users/${id}/invitation`, { session } as Parameters<World['call']>[1]);
  assert.equal((await as(manager.session, target.id)).status, 403);
  assert.equal((await as(admin.session, other.id)).status, 403);
  assert.equal((await as(admin.session, target.id)).status, 201);
  const byKey = await world.call(`POST /users/${target.id}/invitation`);
  assert.deepEqual([byKey.status, byKey.body.error], [403, 'session_only']);
  assert.equal((await as(admin.session, '0'.repeat(24))).status, 404);
});

test('so many invitations of one person in an hour', async () => {
  const user = await world.person();
  const session = await owner();
  const statuses = [];
  for (let each = 0; each <= accessLimits.invitationsAnHour; each += 1)
    statuses.push((await world.call(`POST /users/${user.id}/invitation`, { session })).status);
  assert.equal(statuses.filter((status) => status === 201).length, accessLimits.invitationsAnHour);
  assert.equal(statuses.at(-1), 429);
});

test('a lost password is set anew by mail, and all sessions end', async () => {
  const { user, session } = await world.member('responder');
  assert.match((await world.app.inject('/sign-in')).body, /href="\/lost-password"/);
  assert.match((await world.app.inject('/lost-password')).body, /action="\/auth\/lost-password"/);
  assert.equal(
    (await post('/auth/lost-password', { email: user.email.toUpperCase() })).statusCode,
    202,
  );
  const link = await linkTo(user.email);
  assert.match((await world.app.inject(link)).body, /signed out everywhere else/);
  assert.equal((await post(link, { password: 'short' })).statusCode, 422);
  assert.equal((await world.call('GET /users/me', { session })).status, 200);
  assert.equal((await post(link, { password: PASSWORD })).statusCode, 303);
  assert.equal((await world.call('GET /users/me', { session })).status, 401);
  await world.signIn(user.email, PASSWORD);
  await assert.rejects(world.signIn(user.email, 'one two three four'));
  assert.equal((await world.app.inject(link)).statusCode, 404);
  await world.idle();
  assert.equal(countTo(user.email, /^Your password was changed/), 1);
});

test('a person whom a key added gets no password by a lost one, until an invitation is open', async () => {
  const user = await world.person('manager');
  const lose = async () => {
    const answer = await post('/auth/lost-password', { email: user.email });
    assert.equal(answer.statusCode, 202);
    assert.match(answer.body, /ask an admin of your organization for an invitation/);
    await world.idle();
    return countTo(user.email, /^Set a new password/);
  };
  assert.equal(await lose(), 0);
  const { id } = user;
  const links = await world.sql`select from password_links where user_id = ${id}`;
  assert.equal(links.length, 0, 'not even a link is stored');
  await invite(id);
  assert.equal(await lose(), 1);
  world.pass({ hours: accessLimits.invitationDays * 24 });
  assert.equal(await lose(), 1, 'the invitation has expired');
  await invite(id);
  assert.equal((await post(await linkTo(user.email), { password: PASSWORD })).statusCode, 303);
  assert.equal(await lose(), 2, 'a password was set');
  const lost = '/lost-password">Forgot your password?</a></p>';
  const page = (await world.app.inject('/sign-in')).body;
  assert.ok(page.includes(lost));
  assert.match(page, /never set a password, ask an admin of your organization for an invitation/);
});

test('the answer is the same, whether or not somebody has the address', async () => {
  const gone = await world.person();
  await world.call(`PATCH /users/${gone.id}`, { key: world.first.key, body: { active: false } });
  const invitable = await world.person();
  const emails = [OWNER.email, 'nobody@example.com', gone.email, invitable.email];
  const answers = [];
  for (const email of emails) {
    const { statusCode, headers, body } = await post('/auth/lost-password', { email });
    const { 'x-request-id': _id, date: _date, 'content-length': _length, ...rest } = headers;
    answers.push({ statusCode, rest, body: body.replaceAll(email, 'x') });
  }
  assert.deepEqual(answers[1], answers[0]);
  assert.deepEqual(answers[2], answers[0]);
  assert.deepEqual(answers[3], answers[0], 'somebody without a password');
  await world.idle();
  assert.equal(countTo('nobody@example.com', /./), 0);
  assert.equal(countTo(gone.email, /./), 0);
});

test('beyond a few mails an hour none is sent, and the last link stays good', async () => {
  const { user } = await world.member('responder');
  for (let each = 0; each < accessLimits.resetsAnHour + 3; each += 1) {
    assert.equal((await post('/auth/lost-password', { email: user.email })).statusCode, 202);
    await world.idle();
  }
  assert.equal(countTo(user.email, /^Set a new password/), accessLimits.resetsAnHour);
  assert.equal((await world.app.inject(await linkTo(user.email))).statusCode, 200);
});

test('one network reports no end of lost passwords', async () => {
  const report = (each: number) =>
    post('/auth/lost-password', { email: `${each}@example.com` }, world, {});
  for (let each = 0; each < accessLimits.resetsPerNetwork; each += 1)
    assert.equal((await report(each)).statusCode, 202);
  const refused = await report(1_000);
  assert.equal(refused.statusCode, 429);
  assert.match(refused.body, /<h1>Too many attempts<\/h1>/);
});

test('another site neither sets a password nor reports one as lost', async () => {
  const user = await world.person();
  await invite(user.id);
  const link = await linkTo(user.email);
  const evil = { origin: 'https://evil.example' };
  assert.equal((await post(link, { password: PASSWORD }, world, evil)).statusCode, 403);
  assert.equal(
    (await post('/auth/lost-password', { email: user.email }, world, evil)).statusCode,
    403,
  );
});

test('a changed password ends a link that was sent before, and is notified', async () => {
  const { user, session } = await world.member('responder');
  await post('/auth/lost-password', { email: user.email });
  const link = await linkTo(user.email);
  const body = { current_password: 'one two three four', new_password: PASSWORD };
  assert.equal((await world.call('POST /auth/change-password', { session, body })).status, 200);
  assert.equal((await world.app.inject(link)).statusCode, 404);
  await world.idle();
  assert.equal(countTo(user.email, /^Your password was changed/), 1);
});

test('one’s own password needs the current one by every route, and the person gets a mail', async () => {
  const { user, session } = await world.member('admin');
  const other = await world.signIn(user.email, 'one two three four');
  const line = `POST /users/${user.id}/password`;
  const set = (body: object) =>
    world.call(line, { session, body: { password: PASSWORD, ...body } });
  for (const [body, message] of [
    [{}, 'is required because this changes how you sign in'],
    [{ current_password: 'a guess of a thief' }, 'is wrong'],
  ] as const) {
    const refused = await set(body);
    assert.equal(refused.status, 422);
    assert.deepEqual(refused.body.issues, [{ path: 'current_password', message }]);
  }
  assert.equal((await set({ current_password: 'one two three four' })).status, 200);
  assert.equal((await world.call('GET /users/me', { session })).status, 200, 'this session stays');
  assert.equal((await world.call('GET /users/me', { session: other })).status, 401);
  await world.signIn(user.email, PASSWORD);
  await world.idle();
  assert.equal(countTo(user.email, /^Your password was changed/), 1);
});

test('guesses of the current password have to wait', async () => {
  const { user, session } = await world.member('admin');
  const body = { password: PASSWORD, current_password: 'a guess of a thief' };
  const statuses = [];
  for (let each = 0; each <= accessLimits.passwordChanges; each += 1)
    statuses.push((await world.call(`POST /users/${user.id}/password`, { session, body })).status);
  assert.deepEqual(statuses.slice(-2), [422, 429]);
});

test('whoever signed in by a link has no password to show, and reads what to do', async () => {
  const { user, session } = await world.member('admin');
  await world.sql`delete from auth_accounts where user_id = ${user.id}`;
  const body = { password: PASSWORD, current_password: PASSWORD };
  const refused = await world.call(`POST /users/${user.id}/password`, { session, body });
  assert.equal(refused.status, 422);
  assert.match(refused.body.issues[0].message, /you have no password yet: ask an admin/);
});

test('a password that an admin sets for somebody else ends their sessions, and they get a mail', async () => {
  const { user, session } = await world.member('responder');
  await world.idle();
  const before = countTo(user.email, /^An admin set your password/);
  const set = { session: await owner(), body: { password: PASSWORD } };
  assert.equal((await world.call(`POST /users/${user.id}/password`, set)).status, 200);
  assert.equal((await world.call('GET /users/me', { session })).status, 401);
  await world.idle();
  assert.equal(countTo(user.email, /^An admin set your password/), before + 1);
  assert.match(world.mail.mails.at(-1)?.text ?? '', /^Changed by: \S/m);
});

test('the old address gets a mail about the new one', async () => {
  const user = await world.person();
  const session = await owner();
  const change = (body: object) => world.call(`PATCH /users/${user.id}`, { session, body });
  assert.equal((await change({ last_name: 'Wu' })).status, 200);
  assert.equal((await change({ email: 'elsewhere@example.com' })).status, 200);
  await world.idle();
  const isAboutIt = /^Your e-mail address was changed/;
  const mails = world.mail.mails.filter(({ subject }) => isAboutIt.test(subject));
  assert.equal(countTo('elsewhere@example.com', isAboutIt), 0);
  assert.equal(countTo(user.email, isAboutIt), 1);
  assert.match(mails.at(-1)?.text ?? '', /^New address: elsewhere@example\.com$/m);
});

test('to change one’s own address takes the current password', async () => {
  const { user, session } = await world.member('admin');
  const email = 'mine@example.com';
  const change = (body: object) =>
    world.call(`PATCH /users/${user.id}`, { session, body: { email, ...body } });
  const without = await change({});
  assert.deepEqual([without.status, without.body.issues[0].path], [422, 'current_password']);
  const wrong = await change({ current_password: 'a guess of a thief' });
  assert.deepEqual(wrong.body.issues, [{ path: 'current_password', message: 'is wrong' }]);
  const { first_name, last_name, role } = user;
  const whole = { first_name, last_name, role, email };
  const put = await world.call(`PUT /users/${user.id}`, { session, body: whole });
  assert.deepEqual([put.status, put.body.issues[0].path], [422, 'current_password']);
  assert.equal((await change({ email: user.email, last_name: 'Wu' })).status, 200);
  const changed = await change({ current_password: 'one two three four' });
  assert.deepEqual([changed.status, changed.body.email], [200, email]);
  assert.equal('current_password' in changed.body, false);
});

test('no link is stored in a form that sets a password', async () => {
  const user = await world.person();
  await invite(user.id);
  const token = (await linkTo(user.email)).split('/').at(-1) ?? '';
  const [row] = await world.sql<{ all: string }[]>`
    select string_agg(l::text, '') || (select string_agg(a::text, '') from audit_log a) as all
    from password_links l`;
  assert.ok(row && !row.all.includes(token));
});
