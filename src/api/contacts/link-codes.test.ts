import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { peopleWorld, type SignedIn } from '../../../test/people-world.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import { accessLimits } from '../../limits/access.ts';
import { linkCodeDigest } from '../../replies/digests.ts';
import { linkChat } from '../../storage/people/contacts.ts';

after(() => world[Symbol.asyncDispose]());
const world = await peopleWorld();
const { call, member, sql, first, secrets } = world;
const { organizationId } = first;
const ids = createIds(systemClock);

const codeFor = (id: string, session?: SignedIn) =>
  call(`POST /users/${id}/link-codes`, {
    ...(session && { session }),
    body: { channel: 'telegram' },
  });

test('without a connection that its vendor has accepted there is no code', async () => {
  const { user, session } = await member('responder');
  const { status, body } = await codeFor(user.id, session);
  assert.deepEqual([status, body.error], [503, 'unavailable']);
  const id = '0'.repeat(24);
  await sql`
    insert into channel_connections (organization_id, id, version, name, vendor, account_id,
      position, enabled, secrets, created_at, updated_at)
    values (${organizationId}, ${id}, 1, 'Bot', 'telegram', '1', 1, true, '{}', now(), now())`;
  assert.equal((await codeFor(user.id, session)).status, 503);
  await sql`
    insert into connection_health (organization_id, connection_id, state, account, checked_at)
    values (${organizationId}, ${id}, 'ok', 'acme_bot', now())`;
  const made = await codeFor(user.id, session);
  assert.equal(made.status, 201);
  assert.equal(made.body.url, `https://t.me/acme_bot?start=${made.body.code}`);
});

test('people make codes for themselves only, ten an hour, and never with a key', async () => {
  const [own, other] = [await member('responder'), await member('owner')];
  assert.equal((await codeFor(own.user.id, other.session)).status, 403);
  assert.equal((await codeFor(own.user.id)).status, 401);
  const statuses = new Set<number>();
  for (let made = 0; made < accessLimits.linkCodesAnHour; made += 1)
    statuses.add((await codeFor(own.user.id, own.session)).status);
  assert.deepEqual([...statuses], [201]);
  assert.equal((await codeFor(own.user.id, own.session)).status, 429);
});

/** The account has received the code from that chat. */
const receive = (code: string, address: string, options: object = {}) =>
  linkChat(sql, {
    organizationId,
    channel: 'telegram',
    address,
    ids,
    now: systemClock.now(),
    digest: linkCodeDigest(secrets, code),
    contactsMax: accessLimits.contacts,
    ...options,
  });

const contactsOf = async (id: string) => {
  const { body } = await call(`GET /users/${id}/contacts`);
  return body.data
    .filter(({ channel }: { channel: string }) => channel === 'telegram')
    .map(({ address, verified }: { address: string; verified: boolean }) => [address, verified]);
};

test('a code makes the chat it came from a verified contact, once', async () => {
  const { user, session } = await member('responder');
  const { body } = await codeFor(user.id, session);
  const linked = await receive(body.code, '4711');
  assert.equal(linked !== null && linked !== 'full' && linked.id, user.id);
  assert.deepEqual(await contactsOf(user.id), [['4711', true]]);
  assert.equal(await receive(body.code, '4712'), null);
  const again = await codeFor(user.id, session);
  await receive(again.body.code, '4711');
  assert.deepEqual(await contactsOf(user.id), [['4711', true]], 'the same contact');
});

test('a code ends with its time, with the next one, with its person and its organization', async () => {
  const { user, session } = await member('responder');
  const first = (await codeFor(user.id, session)).body.code;
  const late = systemClock.now().add({ minutes: accessLimits.linkCodeMinutes + 1 });
  assert.equal(await receive(first, '5', { now: late }), null);
  const second = (await codeFor(user.id, session)).body.code;
  assert.equal(await receive(first, '5'), null);
  assert.equal(await receive(second, '5', { organizationId: '1'.repeat(24) }), null);
  await sql`update users set active = false where id = ${user.id}`;
  assert.equal(await receive(second, '5'), null);
  assert.deepEqual(await contactsOf(user.id), []);
});

test('a person with too many contacts gets no more', async () => {
  const { user, session } = await member('responder');
  const { code } = (await codeFor(user.id, session)).body;
  assert.equal(await receive(code, '6', { contactsMax: 1 }), 'full');
  assert.deepEqual(await contactsOf(user.id), []);
});
