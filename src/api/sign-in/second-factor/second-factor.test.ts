import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { verify } from '@node-rs/argon2';
import { fromBase32 } from '../../../../test/base32.ts';
import { OWNER, PUBLIC_URL, peopleWorld, type SignedIn } from '../../../../test/people-world.ts';
import { intervalAt, totpCode } from './totp.ts';

after(() => world[Symbol.asyncDispose]());
const world = await peopleWorld();
const { app, sql } = world;
const password = 'one two three four';

/** Somebody with a second factor, whose app shows codes of now and later. */
async function enrolled() {
  const { user, session } = await world.member('viewer');
  const own = (line: string, body?: object) => world.call(line, { session, ...(body && { body }) });
  const begun = await own('POST /users/me/second-factor', { password });
  assert.equal(begun.status, 200, JSON.stringify(begun.body));
  const secret = fromBase32(begun.body.secret);
  const interval = currentInterval();
  const code = totpCode(secret, interval);
  const confirmed = await own('POST /users/me/second-factor/confirm', { code });
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
  const codes: readonly string[] = confirmed.body.recovery_codes;
  /** Of the interval whose code has confirmed it, or of one so much later, whatever time it is. */
  const codeAfter = (ahead: number) => totpCode(secret, interval + ahead);
  return { user, session, own, secret, codes, codeAfter };
}

let passed = 0;
function pass(seconds: number): void {
  passed += seconds;
  world.pass({ seconds });
}
const currentInterval = () => intervalAt(Temporal.Now.instant().add({ seconds: passed }));
const codeOf = (secret: Uint8Array, ahead = 0) => totpCode(secret, currentInterval() + ahead);

const signIn = async (email: string, code?: string) => {
  const answer = await app.inject({
    method: 'POST',
    url: '/auth/sign-in',
    payload: { email, password, ...(code !== undefined && { code }) },
  });
  return answer.statusCode === 200 ? 'in' : answer.json().error;
};

test('a sign-in needs the code, and each code is good once', async () => {
  const { user, own, codeAfter } = await enrolled();
  assert.deepEqual((await own('GET /users/me/second-factor')).body.recovery_codes_left, 10);
  assert.equal(await signIn(user.email), 'code_required');
  assert.equal(await signIn(user.email, codeAfter(0)), 'unauthorized', 'it has confirmed');
  assert.equal(await signIn(user.email, codeAfter(1)), 'in');
  assert.equal(await signIn(user.email, codeAfter(1)), 'unauthorized');
  assert.equal(await signIn(user.email, codeAfter(-1)), 'unauthorized', 'an older one');
});

test('a recovery code signs in once, and new ones end the old', async () => {
  const { user, own, secret, codes } = await enrolled();
  const [first = '', second = ''] = codes;
  assert.match(first, /^[a-z2-7]{5}-[a-z2-7]{5}$/);
  assert.equal(await signIn(user.email, first.toUpperCase()), 'in');
  assert.equal(await signIn(user.email, first), 'unauthorized');
  const renewed = await own('POST /users/me/second-factor/recovery-codes', {
    password,
    code: codeOf(secret, 1),
  });
  assert.equal(renewed.body.recovery_codes.length, 10);
  assert.equal(await signIn(user.email, second), 'unauthorized');
  assert.equal(await signIn(user.email, renewed.body.recovery_codes[0]), 'in');
  const { body } = await own('GET /users/me/second-factor');
  assert.deepEqual([body.enabled, body.recovery_codes_left], [true, 9]);
});

test('wrong codes make the next one wait, also a right one, whatever is restarted', async () => {
  const { user, secret } = await enrolled();
  for (let count = 1; count <= 5; count += 1)
    assert.equal(await signIn(user.email, '000000'), 'unauthorized');
  assert.equal(await signIn(user.email, codeOf(secret, 1)), 'rate_limited');
  pass(6);
  assert.equal(await signIn(user.email, codeOf(secret, 1)), 'in');
});

test('whoever guesses at once is counted each time', async () => {
  const { user } = await enrolled();
  const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(user.email, '000000')));
  assert.equal(answers.filter((answer) => answer === 'unauthorized').length, 5);
});

test('the page asks for the code after the password, and leads on', async () => {
  const { user, secret } = await enrolled();
  const first = await post('/auth/sign-in?next=%2Fon-calls', { email: user.email, password });
  assert.equal(first.headers.location, '/sign-in/code?next=%2Fon-calls');
  const cookie = cookiesOf(first);
  assert.doesNotMatch(cookie, /session_token/);
  const session = await app.inject({ url: '/auth/session', headers: { cookie } });
  assert.equal(session.statusCode, 401);
  const wrong = await post('/auth/sign-in-code?next=%2Fon-calls', { code: '000000' }, cookie);
  assert.equal(wrong.statusCode, 401);
  assert.match(wrong.body, /role="alert">The code is wrong/);
  const right = await post(
    '/auth/sign-in-code?next=%2Fon-calls',
    { code: codeOf(secret, 1) },
    cookie,
  );
  assert.deepEqual([right.statusCode, right.headers.location], [303, '/on-calls']);
  assert.match(cookiesOf(right), /session_token/);
});

test('a step of a sign-in that is forged or too old leads back to the password', async () => {
  const { user, secret } = await enrolled();
  const cookie = cookiesOf(await post('/auth/sign-in', { email: user.email, password }));
  const other = await enrolled();
  const forged = cookie.replace(user.id, other.user.id);
  for (const sent of ['', forged]) {
    const answer = await post('/auth/sign-in-code', { code: codeOf(other.secret, 1) }, sent);
    assert.equal(answer.headers.location, '/sign-in');
  }
  pass(660);
  const late = await post('/auth/sign-in-code', { code: codeOf(secret, 1) }, cookie);
  assert.equal(late.headers.location, '/sign-in');
});

test('a step of a sign-in ends with the password that it has shown', async () => {
  const { user, secret } = await enrolled();
  const cookie = cookiesOf(await post('/auth/sign-in', { email: user.email, password }));
  const shown = await app.inject({ url: '/sign-in/code', headers: { cookie } });
  assert.equal(shown.statusCode, 200);
  const next = { password: 'another horse battery' };
  const reset = await world.call(`POST /users/${user.id}/password`, {
    session: await world.signIn(OWNER.email, OWNER.password),
    body: next,
  });
  assert.equal(reset.status, 200, JSON.stringify(reset.body));
  const answer = await post('/auth/sign-in-code', { code: codeOf(secret, 1) }, cookie);
  assert.equal(answer.headers.location, '/sign-in');
});

test('confirming it ends all other sessions of the person', async () => {
  const { user, session } = await world.member('viewer');
  const other = await world.signIn(user.email, password);
  const own = (line: string, body: object) => world.call(line, { session, body });
  const begun = await own('POST /users/me/second-factor', { password });
  const code = codeOf(fromBase32(begun.body.secret));
  assert.equal((await own('POST /users/me/second-factor/confirm', { code })).status, 200);
  const state = (one: SignedIn) => world.call('GET /users/me/second-factor', { session: one });
  assert.equal((await state(other)).status, 401);
  assert.equal((await state(session)).body.enabled, true);
});

test('a session and the password neither remove it nor make recovery codes', async () => {
  const { user, own, secret } = await enrolled();
  const send = (path: string, body: object) => own(`POST /users/me/second-factor/${path}`, body);
  for (const path of ['disable', 'recovery-codes']) {
    assert.equal((await send(path, { password })).status, 422);
    const wrong = await send(path, { password, code: '000000' });
    assert.equal(wrong.body.issues[0].path, 'code');
  }
  assert.equal((await own('GET /users/me/second-factor')).body.enabled, true);
  for (let count = 3; count <= 5; count += 1)
    assert.equal(await signIn(user.email, '000000'), 'unauthorized');
  const waits = await send('disable', { password, code: codeOf(secret, 1) });
  assert.equal(waits.status, 429, 'failures count together');
});

test('a server of 0.1.0, which knows no second factor, finds the password wrong', async () => {
  const { user, own, codes } = await enrolled();
  const stored = async () =>
    (
      await sql<{ password: string }[]>`
      select password from auth_accounts where user_id = ${user.id}`
    )[0]?.password ?? '';
  assert.equal(await verify(await stored(), password), false);
  const disable = (typed: string) =>
    own('POST /users/me/second-factor/disable', { password: typed, code: codes[0] });
  assert.equal((await disable('not this one')).body.issues[0].path, 'password');
  const { body } = await disable(password);
  assert.deepEqual(body, { enabled: false, recovery_codes_left: 0 });
  assert.equal(await verify(await stored(), password), true);
  assert.equal(await signIn(user.email), 'in');
});

test('a changed password leaves the second factor, and stays unknown to a server of 0.1.0', async () => {
  const { user, session, secret } = await enrolled();
  const next = 'another horse battery';
  const headers = { cookie: session.cookie, 'x-csrf-token': session.csrf, origin: PUBLIC_URL };
  const payload = { current_password: password, new_password: next };
  const changed = await app.inject({
    method: 'POST',
    url: '/auth/change-password',
    headers,
    payload,
  });
  assert.equal(changed.statusCode, 200, changed.body);
  const [row] = await sql<{ password: string }[]>`
    select password from auth_accounts where user_id = ${user.id}`;
  assert.equal(await verify(row?.password ?? '', next), false);
  const answer = await app.inject({
    method: 'POST',
    url: '/auth/sign-in',
    payload: { email: user.email, password: next, code: codeOf(secret, 1) },
  });
  assert.equal(answer.statusCode, 200, answer.body);
});

test('it is not begun twice, not without the password, and not confirmed by a wrong code', async () => {
  const { session } = await world.member('responder');
  const own = (line: string, body: object) => world.call(line, { session, body });
  const begin = (typed: string) => own('POST /users/me/second-factor', { password: typed });
  assert.equal((await begin('not this one')).status, 422);
  assert.equal((await own('POST /users/me/second-factor/confirm', { code: '1' })).status, 409);
  const { body } = await begin(password);
  assert.match(body.address, /^otpauth:\/\/totp\/Pager%20Example:/);
  assert.ok(body.qr.size > 30 && /^M4 4h7v1h-7z/.test(body.qr.path));
  assert.equal((await own('POST /users/me/second-factor/confirm', { code: '1' })).status, 422);
  const code = codeOf(fromBase32(body.secret));
  assert.equal((await own('POST /users/me/second-factor/confirm', { code })).status, 200);
  assert.equal((await begin(password)).status, 409);
  assert.equal((await world.call('GET /users/me/second-factor')).status, 403, 'not for keys');
});

test('it is begun in an organization with any name', async () => {
  const { session } = await world.member('viewer');
  const rename = (name: string) =>
    world.call('PATCH /organization', { key: world.first.key, body: { name } });
  assert.equal((await rename('Центр мониторинга сети')).status, 200);
  const begun = await world.call('POST /users/me/second-factor', { session, body: { password } });
  assert.equal(begun.status, 200, JSON.stringify(begun.body));
  await rename('Example');
});

test('the audit log has who turned it on and used a recovery code, and no secret', async () => {
  const { user, codes, secret } = await enrolled();
  await signIn(user.email, codes[0]);
  const { body } = await world.call(`GET /audit-log?record_id=${user.id}`);
  const actions = body.data.map(({ action }: { action: string }) => action);
  assert.ok(actions.includes('enable_second_factor') && actions.includes('use_recovery_code'));
  assert.doesNotMatch(JSON.stringify(body), new RegExp(codes[0] ?? ''));
  const [row] = await sql<{ secret_encrypted: string }[]>`
    select secret_encrypted from second_factors where user_id = ${user.id}`;
  assert.doesNotMatch(
    row?.secret_encrypted ?? '',
    new RegExp(Buffer.from(secret).toString('base64').replaceAll('+', '.')),
  );
});

test('each change of it is told to its person by mail', async () => {
  const { user, own, secret, codes } = await enrolled();
  const proof = { password, code: codeOf(secret, 1) };
  assert.equal((await own('POST /users/me/second-factor/recovery-codes', proof)).status, 200);
  const left = { password, code: codes[0] };
  assert.equal((await own('POST /users/me/second-factor/disable', left)).status, 422);
  const last = { password, code: codeOf(secret, 2) };
  pass(30);
  assert.equal((await own('POST /users/me/second-factor/disable', last)).status, 200);
  for (const lead of [
    ...['A second factor was added', 'Your recovery codes were replaced'],
    ...['Your second factor was removed'],
  ])
    await world.mail.arrival(lead, ({ to, subject }) =>
      Boolean(to === user.email && subject.startsWith(lead)),
    );
});

test('others sign in as before', async () => {
  const { email, password: own } = OWNER;
  const session: SignedIn = await world.signIn(email, own);
  assert.equal((await world.call('GET /users/me/second-factor', { session })).body.enabled, false);
});

const post = (url: string, fields: Record<string, string>, cookie = '') =>
  app.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: PUBLIC_URL,
      ...(cookie && { cookie }),
    },
  });

const cookiesOf = ({ cookies }: { cookies: readonly { name: string; value: string }[] }) =>
  cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
