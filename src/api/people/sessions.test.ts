import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { OWNER, peopleWorld, type SignedIn } from '../../../test/people-world.ts';

// Ends before the database server does, whose own hook comes with the first database.
after(() => world[Symbol.asyncDispose]());
const world = await peopleWorld();
// So that no test uses up the tries of another.
beforeEach(() => world.pass({ minutes: 6 }));

const PASSWORD = 'one two three four';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

type Listed = {
  readonly id: string;
  readonly current: boolean;
  readonly device?: string;
  readonly address?: string;
  readonly last_used_at: string;
};

async function sessionsOf(session: SignedIn): Promise<readonly Listed[]> {
  const { status, body } = await world.call('GET /users/me/sessions', { session });
  assert.equal(status, 200, JSON.stringify(body));
  return body.data;
}

test('a person sees their sessions: the device, the address, the last use', async () => {
  const { user, session } = await world.member('responder');
  const payload = { email: user.email, password: PASSWORD };
  const headers = { 'user-agent': FIREFOX };
  const signedIn = await world.app.inject({
    method: 'POST',
    url: '/auth/sign-in',
    payload,
    headers,
    remoteAddress: '192.0.2.7',
  });
  assert.equal(signedIn.statusCode, 200);
  const sessions = await sessionsOf(session);
  assert.equal(sessions.length, 2);
  const [own, other] = [true, false].map((current) =>
    sessions.find((one) => one.current === current),
  );
  assert.deepEqual([other?.device, other?.address], ['Firefox on Linux', '192.0.2.7']);
  assert.ok(own);
  world.pass({ minutes: 5 });
  await sessionsOf(session);
  await world.idle();
  const later = (await sessionsOf(session)).find(({ id }) => id === own.id);
  assert.ok(
    Temporal.Instant.compare(later?.last_used_at ?? '', own.last_used_at) > 0,
    `${later?.last_used_at} ${own.last_used_at}`,
  );
});

test('a person ends one session, or all but their own, and it is audited', async () => {
  const { user, session } = await world.member('viewer');
  const others = [];
  for (let each = 0; each < 3; each += 1) others.push(await world.signIn(user.email, PASSWORD));
  const [first, second] = others;
  assert.ok(first && second);
  const [one] = (await sessionsOf(first)).filter(({ current }) => current);
  const end = (by: SignedIn, id = '') =>
    world.call(`DELETE /users/me/sessions/${id}`, { session: by });
  assert.equal((await end(session, one?.id)).status, 200);
  assert.equal((await end(session, one?.id)).status, 404);
  assert.equal((await world.call('GET /users/me', { session: first })).status, 401);
  assert.equal((await world.call('GET /users/me', { session: second })).status, 200);
  const rest = await world.call('POST /users/me/sessions/end-others', { session });
  assert.deepEqual([rest.status, rest.body], [200, { ended: 2 }]);
  assert.equal((await world.call('GET /users/me', { session: second })).status, 401);
  assert.deepEqual(
    (await sessionsOf(session)).map(({ current }) => current),
    [true],
  );
  const { body } = await world.call(`GET /audit-log?record_id=${user.id}&action=end_sessions`);
  assert.equal(body.data.length, 2);
});

test('nobody ends a session of another, and an API key has none', async () => {
  const { session } = await world.member('admin');
  const owner = await world.signIn(OWNER.email, OWNER.password);
  const [own] = (await sessionsOf(owner)).filter(({ current }) => current);
  const line = `DELETE /users/me/sessions/${own?.id}`;
  assert.equal((await world.call(line, { session })).status, 404);
  assert.equal((await world.call(line)).status, 404);
  assert.equal((await world.call('GET /users/me/sessions')).status, 404);
  assert.equal((await world.call('POST /users/me/sessions/end-others')).status, 404);
  assert.equal((await world.call('GET /users/me', { session: owner })).status, 200);
});
