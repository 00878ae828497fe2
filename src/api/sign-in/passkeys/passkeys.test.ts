import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  type Authenticator,
  createAuthenticator,
  type Wrongs,
} from '../../../../test/authenticator.ts';
import { fromBase32 } from '../../../../test/base32.ts';
import { OWNER, PUBLIC_URL, peopleWorld, type SignedIn } from '../../../../test/people-world.ts';
import { resetPasswordCommand } from '../../../commands/reset-password.ts';
import { readConfig } from '../../../config.ts';
import { intervalAt, totpCode } from '../second-factor/totp.ts';
import { isPlain, relyingParty } from './passkeys.ts';

after(() => world[Symbol.asyncDispose]());
const world = await peopleWorld();
const { app } = world;
const password = 'one two three four';

const own = (session: SignedIn) => (line: string, body?: object) =>
  world.call(line, { session, ...(body && { body }) });

/** What a browser is to answer. */
async function begun(session: SignedIn, proof: object = { password }) {
  const answer = await own(session)('POST /users/me/passkeys/options', proof);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.public_key;
}

async function add(session: SignedIn, authenticator: Authenticator) {
  const credential = authenticator.create(await begun(session));
  const added = await own(session)('POST /users/me/passkeys', { name: 'Phone', credential });
  assert.equal(added.status, 201, JSON.stringify(added.body));
  return added.body;
}

/** Somebody with a passkey. */
async function withPasskey(more: { readonly hasCounter?: boolean } = {}) {
  const { user, session } = await world.member('responder');
  const authenticator = createAuthenticator(PUBLIC_URL, more);
  return { user, session, authenticator, passkey: await add(session, authenticator) };
}

/** The browser's cookie, and what it is asked for. */
async function requested() {
  const answer = await app.inject({ method: 'POST', url: '/auth/passkey-options', payload: {} });
  assert.equal(answer.statusCode, 200, answer.body);
  const cookie = answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  return { options: answer.json().public_key, cookie };
}

const send = (credential: unknown, cookie: string, more: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/auth/sign-in-passkey',
    payload: { credential },
    headers: { cookie, ...more },
  });

async function signIn(authenticator: Authenticator, wrongs?: Wrongs): Promise<number> {
  const { options, cookie } = await requested();
  return (await send(authenticator.get(options, wrongs), cookie)).statusCode;
}

test('a passkey signs in, alone', async () => {
  const { user, session, authenticator, passkey } = await withPasskey();
  assert.deepEqual([passkey.name, passkey.synced, passkey.last_used_at], ['Phone', true, null]);
  const { options, cookie } = await requested();
  assert.equal(options.userVerification, 'required');
  const answer = await send(authenticator.get(options), cookie);
  assert.equal(answer.statusCode, 200, answer.body);
  assert.equal(answer.json().user.id, user.id);
  assert.match(answer.headers['set-cookie']?.toString() ?? '', /session_token.*known_browser/);
  const { body } = await own(session)('GET /users/me/passkeys');
  assert.deepEqual([body.usable, body.origin, body.data.length], [true, PUBLIC_URL, 1]);
  assert.match(body.data[0].last_used_at, /Z$/);
});

test('with a second factor, a passkey needs its code to be added, and then none to sign in', async () => {
  const { user, session } = await world.member('viewer');
  const call = own(session);
  const { body: factor } = await call('POST /users/me/second-factor', { password });
  const secret = fromBase32(factor.secret);
  const codeOf = (ahead: number) => totpCode(secret, intervalAt(Temporal.Now.instant()) + ahead);
  await call('POST /users/me/second-factor/confirm', { code: codeOf(0) });
  const without = await call('POST /users/me/passkeys/options', { password });
  assert.deepEqual([without.status, without.body.issues[0].path], [422, 'code']);
  const wrong = await call('POST /users/me/passkeys/options', { password, code: '000000' });
  assert.deepEqual([wrong.status, wrong.body.issues[0].path], [422, 'code']);
  const authenticator = createAuthenticator(PUBLIC_URL);
  const credential = authenticator.create(await begun(session, { password, code: codeOf(1) }));
  const added = await call('POST /users/me/passkeys', { name: 'Key', credential });
  assert.equal(added.status, 201, JSON.stringify(added.body));
  assert.equal(await signIn(authenticator), 200);
  const byPassword = await app.inject({
    method: 'POST',
    url: '/auth/sign-in',
    payload: { email: user.email, password },
  });
  assert.equal(byPassword.json().error, 'code_required');
});

const wrongAssertions: Readonly<Record<string, Wrongs>> = {
  'of another origin': { origin: 'https://pager.example.com.evil.test' },
  'of the same name over http': { origin: 'http://pager.example.com' },
  'for another host': { rpId: 'example.com' },
  'for another purpose': { type: 'webauthn.create' },
  'without having verified its person': { isVerified: false },
  'without anybody present': { isPresent: false },
  'signed by another key': { isForged: true },
  'of another person': { userHandle: Buffer.from('0'.repeat(24), 'hex').toString('base64url') },
  'of nobody': { userHandle: '' },
};
test('an answer with anything wrong in it does not sign in, and locks nobody out', async () => {
  const { authenticator } = await withPasskey();
  for (const [what, wrongs] of Object.entries(wrongAssertions))
    assert.equal(await signIn(authenticator, wrongs), 401, what);
  assert.equal(await signIn(authenticator), 200);
});

test('a passkey is not added by an answer that is', async () => {
  const { session } = await world.member('viewer');
  for (const what of [
    'of another origin',
    'for another host',
    'without having verified its person',
  ]) {
    const options = await begun(session);
    const credential = createAuthenticator(PUBLIC_URL).create(options, wrongAssertions[what]);
    const answer = await own(session)('POST /users/me/passkeys', { name: 'Phone', credential });
    assert.deepEqual([answer.status, answer.body.issues[0].path], [422, 'credential'], what);
  }
});

test('an authenticator may attest itself, and certificates are not looked at', async () => {
  const { session } = await world.member('viewer');
  const attesting = createAuthenticator(PUBLIC_URL, { attestsItself: true });
  await add(session, attesting);
  assert.equal(await signIn(attesting), 200);
  for (const certified of ['packed', 'android-key', 'tpm', 'apple', 'fido-u2f', 'none-such']) {
    const options = await begun(session);
    const credential = createAuthenticator(PUBLIC_URL).create(options, { certified });
    assert.equal(await isPlain(credential.response.attestationObject), false, certified);
    const answer = await own(session)('POST /users/me/passkeys', { name: 'Phone', credential });
    assert.equal(answer.status, 422, certified);
  }
});

test('a challenge is answered once, in time, by the browser that got it, for what it was made', async () => {
  const { session, authenticator } = await withPasskey();
  const { options, cookie } = await requested();
  const answer = authenticator.get(options);
  const other = await requested();
  const state = async (credential: unknown, sent: string) =>
    (await send(credential, sent)).statusCode;
  assert.equal(await state(answer, ''), 401, 'without its cookie');
  assert.equal(await state(answer, other.cookie), 401, 'with that of another browser');
  const forAdding = authenticator.get({ ...options, ...(await begun(session)) });
  assert.equal(await state(forAdding, cookie), 401, 'a challenge for adding');
  const made = authenticator.get({ ...options, challenge: 'AAAA' });
  assert.equal(await state(made, cookie), 401, 'a challenge of nobody');
  const both = await Promise.all([state(answer, cookie), state(answer, cookie)]);
  assert.deepEqual(both.toSorted(), [200, 401], 'twice at once');
  assert.equal(await state(answer, cookie), 401, 'again');
  const late = await requested();
  world.pass({ seconds: 301 });
  assert.equal(await state(authenticator.get(late.options), late.cookie), 401, 'too late');
});

test('a challenge for adding is of one session, and good once and in time', async () => {
  const { user, session } = await world.member('viewer');
  const other = await world.signIn(user.email, password);
  const options = await begun(session);
  const credential = createAuthenticator(PUBLIC_URL).create(options);
  const body = { name: 'Phone', credential };
  assert.equal((await own(other)('POST /users/me/passkeys', body)).status, 422);
  assert.equal((await own(session)('POST /users/me/passkeys', body)).status, 201);
  const second = createAuthenticator(PUBLIC_URL).create(options);
  const again = { name: 'Phone', credential: second };
  assert.equal((await own(session)('POST /users/me/passkeys', again)).status, 422);
  const signIns = createAuthenticator(PUBLIC_URL).create({
    ...options,
    challenge: (await requested()).options.challenge,
  });
  const forSigningIn = { name: 'Phone', credential: signIns };
  assert.equal((await own(session)('POST /users/me/passkeys', forSigningIn)).status, 422);
  const late = {
    name: 'Phone',
    credential: createAuthenticator(PUBLIC_URL).create(await begun(session)),
  };
  world.pass({ seconds: 301 });
  assert.equal((await own(session)('POST /users/me/passkeys', late)).status, 422);
});

test('an authenticator whose counter went back is refused', async () => {
  const { authenticator, passkey } = await withPasskey({ hasCounter: true });
  assert.equal(passkey.synced, false);
  assert.equal(await signIn(authenticator), 200);
  assert.equal(await signIn(authenticator, { count: 2 }), 401);
  assert.equal(await signIn(authenticator, { count: 1 }), 401);
  assert.equal(await signIn(authenticator), 200);
});

test('neither a session alone adds or removes one, nor an API key', async () => {
  const { session, passkey } = await withPasskey();
  const call = own(session);
  for (const line of ['options', `${passkey.id}/remove`]) {
    assert.equal((await call(`POST /users/me/passkeys/${line}`, {})).status, 422);
    const wrong = await call(`POST /users/me/passkeys/${line}`, { password: 'not this one' });
    assert.deepEqual([wrong.status, wrong.body.issues[0].path], [422, 'password']);
  }
  assert.equal((await world.call('GET /users/me/passkeys')).status, 403);
});

test('a passkey is removed by its person alone, and signs in no more', async () => {
  const { session, authenticator, passkey } = await withPasskey();
  const stranger = await world.member('admin');
  const line = `POST /users/me/passkeys/${passkey.id}/remove`;
  assert.equal((await own(stranger.session)(line, { password })).status, 404);
  assert.equal(await signIn(authenticator), 200);
  assert.deepEqual((await own(session)(line, { password })).body, { id: passkey.id });
  assert.equal(await signIn(authenticator), 401);
});

test('a passkey is renamed by its person alone, and signs in as before', async () => {
  const { user, session, authenticator, passkey } = await withPasskey();
  const line = `PATCH /users/me/passkeys/${passkey.id}`;
  const other = await world.member('admin');
  assert.equal((await own(other.session)(line, { name: 'Mine' })).status, 404);
  assert.equal((await own(session)(line, { name: '' })).status, 422);
  const renamed = await own(session)(line, { name: 'Old phone' });
  assert.deepEqual(renamed.body, { ...passkey, name: 'Old phone' });
  assert.equal((await own(session)('GET /users/me/passkeys')).body.data[0].name, 'Old phone');
  assert.equal(await signIn(authenticator), 200);
  const { body } = await world.call(`GET /audit-log?record_id=${user.id}`);
  assert.deepEqual(
    [body.data[0].action, body.data[0].before.passkey.name, body.data[0].after.passkey.name],
    ['update', 'Phone', 'Old phone'],
  );
});

test('whoever was signed in by a passkey that is removed is so no more', async () => {
  const { user, session, authenticator, passkey } = await withPasskey();
  const { options, cookie } = await requested();
  const opened = await send(authenticator.get(options), cookie);
  const device = opened.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const stateOf = async (headers: Record<string, string>) =>
    (await world.call('GET /users/me', { headers })).status;
  assert.equal(await stateOf({ cookie: device }), 200);
  await own(session)(`POST /users/me/passkeys/${passkey.id}/remove`, { password });
  assert.equal(await stateOf({ cookie: device }), 401);
  assert.equal((await own(session)('GET /users/me')).status, 200);
  const { body } = await world.call('GET /audit-log');
  const actions = body.data
    .filter((entry: { record_id: string }) => entry.record_id === user.id)
    .map((entry: { action: string }) => entry.action);
  assert.deepEqual(actions.slice(0, 2), ['remove_passkey', 'end_sessions']);
});

/** Runs the statement on each insert into that table, as if it came from another server then. */
async function meanwhile(table: string, statement: string): Promise<AsyncDisposable> {
  await world.sql.unsafe(`
    create function meanwhile() returns trigger language plpgsql as $$
      begin ${statement}; return null; end $$;
    create trigger meanwhile after insert on ${table} execute function meanwhile()`);
  const end = async () => void (await world.sql.unsafe('drop function meanwhile cascade'));
  return { [Symbol.asyncDispose]: end };
}

test('a passkey that is removed while it signs in leaves no session', async () => {
  const { user, authenticator } = await withPasskey();
  await world.sql`delete from auth_sessions where user_id = ${user.id}`;
  const remove = `delete from passkeys where user_id = '${user.id}'`;
  await using _ = await meanwhile('auth_sessions', remove);
  assert.equal(await signIn(authenticator), 401);
  const left = await world.sql`select from auth_sessions where user_id = ${user.id}`;
  assert.equal(left.length, 0);
});

test('whoever is signed out while they add a passkey adds none', async () => {
  const { user, session } = await world.member('viewer');
  const credential = createAuthenticator(PUBLIC_URL).create(await begun(session));
  const signOut = `delete from auth_sessions where user_id = '${user.id}'`;
  await using _ = await meanwhile('used_challenges', signOut);
  const answer = await own(session)('POST /users/me/passkeys', { name: 'Phone', credential });
  assert.equal(answer.status, 401);
  assert.equal((await world.sql`select from passkeys where user_id = ${user.id}`).length, 0);
});

test('a credential with an id longer than WebAuthn allows is not added', async () => {
  const { session } = await world.member('viewer');
  const longest = createAuthenticator(PUBLIC_URL, { idBytes: 1_023 });
  await add(session, longest);
  assert.equal(await signIn(longest), 200);
  const longer = createAuthenticator(PUBLIC_URL, { idBytes: 1_024 });
  const credential = longer.create(await begun(session));
  const answer = await own(session)('POST /users/me/passkeys', { name: 'Phone', credential });
  assert.deepEqual([answer.status, answer.body.issues?.[0].path], [422, 'credential']);
});

test('a passkey that somebody has is not added again', async () => {
  const { authenticator } = await withPasskey();
  const { session } = await world.member('viewer');
  const credential = authenticator.create(await begun(session));
  const answer = await own(session)('POST /users/me/passkeys', { name: 'Mine', credential });
  assert.equal(answer.status, 409);
});

test('there are so many of a person at most', async () => {
  const { session } = await world.member('viewer');
  for (let count = 0; count < 20; count += 1) {
    if (count % 8 === 7) world.pass({ minutes: 6 });
    await add(session, createAuthenticator(PUBLIC_URL));
  }
  world.pass({ minutes: 6 });
  const answer = await own(session)('POST /users/me/passkeys/options', { password });
  assert.equal(answer.status, 409);
});

test('who is deactivated has no passkeys any more, and a new password leaves them', async () => {
  const { user, authenticator } = await withPasskey();
  const owner = await world.signIn(OWNER.email, OWNER.password);
  const body = { password: 'another horse battery' };
  assert.equal((await own(owner)(`POST /users/${user.id}/password`, body)).status, 200);
  assert.equal(await signIn(authenticator), 200);
  const change = (active: boolean) =>
    world.call(`PATCH /users/${user.id}`, { key: world.first.key, body: { active } });
  assert.equal((await change(false)).status, 200);
  assert.equal(await signIn(authenticator), 401);
  assert.equal((await change(true)).status, 200);
  assert.equal(await signIn(authenticator), 401);
});

test('a passkey of somebody whom a server of 0.1.0 deactivated does not sign in', async () => {
  const { user, authenticator } = await withPasskey();
  await world.sql`update users set active = false where id = ${user.id}`;
  assert.equal(await signIn(authenticator), 401);
  const body = { active: true };
  const active = await world.call(`PATCH /users/${user.id}`, { key: world.first.key, body });
  assert.equal(active.status, 200);
  assert.equal(await signIn(authenticator), 401, 'active again');
});

test('many who fail in one network wait, and no browser that signed in before', async () => {
  const { user, authenticator } = await withPasskey();
  const known = await app.inject({
    method: 'POST',
    url: '/auth/sign-in',
    payload: { email: user.email, password },
  });
  const browser = known.cookies.find(({ name }) => name.includes('known_browser'))?.value;
  const { options, cookie } = await requested();
  const states = [];
  for (let tries = 0; tries < 51; tries += 1)
    states.push((await send(authenticator.get(options, { isForged: true }), cookie)).statusCode);
  assert.equal(states.at(-1), 429);
  const right = authenticator.get(options);
  assert.equal((await send(right, cookie)).statusCode, 429);
  const withKnown = `${cookie}; pager.known_browser=${browser}`;
  assert.equal((await send(right, withKnown)).statusCode, 200);
  world.pass({ minutes: 6 });
});

test('nothing that is sent in the place of a credential fails otherwise than a wrong one', async () => {
  const { cookie } = await requested();
  const { authenticator } = await withPasskey();
  const { options } = await requested();
  const right = authenticator.get(options);
  const text = 'A'.repeat(8_000);
  const wrongs = [
    ...[null, 7, '', [], {}, { id: 'x' }, { id: 'x', response: null }, { ...right, id: text }],
    ...['clientDataJSON', 'authenticatorData', 'signature'].flatMap((name) =>
      ['', '!', text, 7, null].map((value) => ({
        ...right,
        response: { ...right.response, [name]: value },
      })),
    ),
  ];
  for (const wrong of wrongs) {
    const { statusCode } = await send(wrong, cookie);
    assert.ok([401, 422].includes(statusCode), `${statusCode} ${JSON.stringify(wrong)}`);
  }
  assert.equal(await signIn(authenticator), 200);
});

test('whoever operates the server removes them beside a new password', async () => {
  const { user, authenticator } = await withPasskey();
  const config = readConfig({ PAGER_DATABASE_URL: world.databaseUrl });
  assert.ok(config.ok);
  const errors: string[] = [];
  const output = { write: () => {}, writeError: (text: string) => void errors.push(text) };
  const reset = (...flags: string[]) =>
    resetPasswordCommand([...flags, user.email], config.config, output);
  assert.equal(await reset('--remove-second-factor'), 0);
  assert.equal(await signIn(authenticator), 200);
  assert.equal(await reset('--remove-passkeys'), 0);
  assert.equal(await signIn(authenticator), 401);
  assert.match(
    errors.join(''),
    /^(PAGER_SMTP_URL is not set in this terminal, and .*, so the owners were not notified\..*\n){2}$/,
  );
});

test('another site can neither ask for a sign-in nor send one', async () => {
  const { options, cookie } = await requested();
  const { authenticator } = await withPasskey();
  const elsewhere = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' };
  const answer = await send(authenticator.get(options), cookie, elsewhere);
  assert.equal(answer.json().error, 'csrf');
  const requesting = await app.inject({
    method: 'POST',
    url: '/auth/passkey-options',
    payload: {},
    headers: elsewhere,
  });
  assert.equal(requesting.json().error, 'csrf');
});

test('the audit log has who added and removed one, and its person is sent a mail', async () => {
  const { user, session, passkey } = await withPasskey();
  await own(session)(`POST /users/me/passkeys/${passkey.id}/remove`, { password });
  await world.idle();
  const { body } = await world.call(`GET /audit-log?record_id=${user.id}`);
  const entries = body.data.filter(({ action }: { action: string }) => action.endsWith('_passkey'));
  assert.deepEqual(
    entries.map(({ action, before, after }: Record<string, unknown>) => [action, before ?? after]),
    ['remove_passkey', 'add_passkey'].map((action) => [
      action,
      { passkey: { id: passkey.id, name: 'Phone' } },
    ]),
  );
  for (const lead of ['A passkey was added', 'A passkey was removed']) {
    const mail = await world.mail.arrival(lead, ({ to, subject }) =>
      Boolean(to.includes(user.email) && subject.startsWith(lead)),
    );
    assert.match(mail.text, /Phone/);
  }
});

test('the page offers it where somebody has one', async () => {
  await withPasskey();
  const page = await app.inject({ url: '/sign-in?next=%2Fon-calls' });
  assert.match(page.body, /Sign in with a passkey/);
  assert.match(page.headers['content-security-policy']?.toString() ?? '', /script-src 'self'/);
  const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(page.body) ?? [];
  const served = await app.inject({ url: script });
  assert.match(served.headers['content-type']?.toString() ?? '', /^text\/javascript/);
});

test('an address at which browsers refuse passkeys says so, and offers none', async () => {
  for (const url of ['http://pager.example.com', 'https://10.0.0.7', 'https://[fd00::7]:8443']) {
    const party = relyingParty(url);
    assert.ok(
      !party.usable && /^Passkeys do not work (at an IP|over http)/.test(party.reason),
      url,
    );
  }
  for (const [url, id] of [
    ['https://pager.example.com/', 'pager.example.com'],
    ['https://Pager.example.com:8443', 'pager.example.com'],
    ['http://localhost:8080', 'localhost'],
  ] as const) {
    const party = relyingParty(url);
    assert.ok(party.usable && party.id === id, url);
  }
  await using plain = await peopleWorld('http://10.0.0.7:8080');
  const session = await plain.signIn(OWNER.email, OWNER.password);
  const { body } = await plain.call('GET /users/me/passkeys', { session });
  assert.equal(body.usable, false);
  const options = { session, body: { password: OWNER.password } };
  const refused = await plain.call('POST /users/me/passkeys/options', options);
  assert.equal(refused.status, 409);
  assert.match(refused.body.message, /IP address/);
  const page = await plain.app.inject({ url: '/sign-in' });
  assert.doesNotMatch(page.body, /passkey|script/);
});
