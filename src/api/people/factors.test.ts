import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAuthenticator } from '../../../test/authenticator.ts';
import { fromBase32 } from '../../../test/base32.ts';
import { OWNER, PUBLIC_URL, peopleWorld, type SignedIn } from '../../../test/people-world.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import { intervalAt, totpCode } from '../sign-in/second-factor/totp.ts';

after(() => world[Symbol.asyncDispose]());
const world = await peopleWorld();
const ids = createIds(systemClock);
const password = 'one two three four';

const own = (session: SignedIn) => (line: string, body?: object) =>
  world.call(line, { session, ...(body && { body }) });

/** Somebody with a passkey and a second factor. */
async function enrolled(role: 'responder' | 'admin' = 'responder') {
  const { user, session } = await world.member(role);
  const call = own(session);
  const options = await call('POST /users/me/passkeys/options', { password });
  const credential = createAuthenticator(PUBLIC_URL).create(options.body.public_key);
  const added = await call('POST /users/me/passkeys', { name: 'Lost phone', credential });
  assert.equal(added.status, 201, JSON.stringify(added.body));
  const begun = await call('POST /users/me/second-factor', { password });
  const secret = fromBase32(begun.body.secret);
  const codeOf = (ahead: number) => totpCode(secret, intervalAt(Temporal.Now.instant()) + ahead);
  const confirmed = await call('POST /users/me/second-factor/confirm', { code: codeOf(0) });
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
  return { user, session, codeOf, passkey: added.body };
}

const signIn = async (email: string) => {
  const payload = { email, password };
  const answer = await world.app.inject({ method: 'POST', url: '/auth/sign-in', payload });
  return answer.statusCode === 200 ? 'in' : answer.json().error;
};

const both = { password, factors: ['second_factor', 'passkeys'] };

test('an admin removes what somebody has lost: the password signs in, and they are told', async () => {
  const { user, session, passkey } = await enrolled();
  const admin = await world.member('admin');
  const call = own(admin.session);
  const line = `GET /users/${user.id}/factors`;
  assert.deepEqual((await call(line)).body, { password: true, second_factor: true, passkeys: 1 });
  assert.equal(await signIn(user.email), 'code_required');
  const removed = await call(`POST /users/${user.id}/factors/remove`, both);
  assert.deepEqual(removed.body, { password: true, second_factor: false, passkeys: 0 });
  assert.equal(await signIn(user.email), 'in');
  assert.equal((await own(session)('GET /users/me')).status, 401, 'their sessions have ended');
  assert.equal((await call('GET /users/me')).status, 200);
  const lead = 'An admin changed how you sign in';
  const mail = await world.mail.arrival(lead, ({ to, subject }) =>
    Boolean(to === user.email && subject.startsWith(lead)),
  );
  for (const text of [/^Removed: Second factor$/m, /^Removed: Passkey Lost phone$/m])
    assert.match(mail.text, text);
  assert.match(mail.text, /^Removed by: \S/m);
  const { body } = await world.call(`GET /audit-log?record_id=${user.id}`);
  const [last, ...before] = body.data;
  assert.deepEqual(
    [last.action, last.before, last.actor.id],
    ['remove_passkey', { passkey: { id: passkey.id, name: 'Lost phone' } }, admin.user.id],
  );
  assert.deepEqual(
    before.slice(0, 2).map(({ action }: { action: string }) => action),
    ['disable_second_factor', 'end_sessions'],
  );
});

test('push ends on their devices, for one of them may be lost, and nobody else’s', async () => {
  const { user } = await enrolled();
  const admin = await world.member('admin');
  const devices = [user.id, admin.user.id].map((user_id) => ({
    organization_id: world.first.organizationId,
    user_id,
    id: ids.next(),
    channel: 'push-notification',
    address: 'Firefox',
    subscription_encrypted: 'sealed',
    verified_at: Temporal.Now.instant(),
    created_at: Temporal.Now.instant(),
  }));
  await world.sql`insert into contacts ${world.sql(devices)}`;
  const line = `POST /users/${user.id}/factors/remove`;
  assert.equal((await own(admin.session)(line, both)).status, 200);
  const pushOf = async (id: string) =>
    (await world.call(`GET /users/${id}/contacts`)).body.data.find(
      ({ channel }: { channel: string }) => channel === 'push-notification',
    );
  const theirs = await pushOf(user.id);
  assert.deepEqual([theirs.verified, theirs.state], [false, 'gone']);
  assert.match(theirs.state_reason, /^An admin removed your sign-in methods/);
  assert.equal((await pushOf(admin.user.id)).verified, true);
});

test('what is not named stays', async () => {
  const { user } = await enrolled();
  const admin = await world.member('admin');
  const line = `POST /users/${user.id}/factors/remove`;
  const { body } = await own(admin.session)(line, { password, factors: ['passkeys'] });
  assert.deepEqual(body, { password: true, second_factor: true, passkeys: 0 });
  assert.equal(await signIn(user.email), 'code_required');
});

test('whoever removes says what', async () => {
  const { user } = await enrolled();
  const admin = await world.member('admin');
  const line = `POST /users/${user.id}/factors/remove`;
  const { status, body } = await own(admin.session)(line, { password, factors: [] });
  assert.deepEqual([status, body.issues?.[0].path], [422, 'factors']);
});

test('it takes the password of the admin, and their code where they have a factor', async () => {
  const { user } = await enrolled();
  const admin = await enrolled('admin');
  const call = own(admin.session);
  const line = `POST /users/${user.id}/factors/remove`;
  const wrong = await call(line, { ...both, password: 'not this one' });
  assert.deepEqual([wrong.status, wrong.body.issues[0].path], [422, 'password']);
  const without = await call(line, both);
  assert.deepEqual([without.status, without.body.issues[0].path], [422, 'code']);
  assert.equal(await signIn(user.email), 'code_required');
  const right = await call(line, { ...both, code: admin.codeOf(1) });
  assert.equal(right.status, 200, JSON.stringify(right.body));
});

test('neither a manager, nor a key, nor an admin with an owner removes any', async () => {
  const { user } = await enrolled();
  const line = `POST /users/${user.id}/factors/remove`;
  const manager = await world.member('manager');
  assert.equal((await own(manager.session)(line, both)).status, 403);
  assert.equal((await own(manager.session)(`GET /users/${user.id}/factors`)).status, 403);
  const { key } = world.first;
  assert.equal((await world.call(line, { key, body: both })).body.error, 'session_only');
  const admin = await world.member('admin');
  const owners = `POST /users/${world.first.userId}/factors/remove`;
  const refused = await own(admin.session)(owners, both);
  assert.deepEqual([refused.status, refused.body.message], [403, 'Only owners can change owners.']);
  const owner = await world.signIn(OWNER.email, OWNER.password);
  const removed = await own(owner)(line, { ...both, password: OWNER.password });
  assert.equal(removed.status, 200, JSON.stringify(removed.body));
});
