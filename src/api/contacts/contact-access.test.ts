import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import {
  connectNumbers,
  OWNER,
  peopleWorld,
  type RequestOptions,
  type SignedIn,
} from '../../../test/people-world.ts';

// Ends before the database server does, whose own hook comes with the first database.
after(() => world[Symbol.asyncDispose]());
const world = await peopleWorld();
beforeEach(() => world.pass({ minutes: 6 }));
await connectNumbers(world);

const { call, made, member } = world;
const number = '+4915112345678';
const privately = 'ada.private@example.net';

/** Somebody with a number and an e-mail address of their own. */
async function withContacts(role = 'responder') {
  const { user, session } = await member(role);
  const path = `/users/${user.id}/contacts`;
  const add = async (channel: string, address: string) =>
    (await call(`POST ${path}`, { session, body: { channel, address } })).body.id as string;
  const ids = { sms: await add('sms', number), email: await add('email', privately) };
  const isProved = { user_id: user.id };
  await world.sql`update contacts set verified_at = now() where user_id = ${isProved.user_id}`;
  return { user, session, path, ...ids };
}

const shown = async (path: string, options: RequestOptions) => {
  const { status, body } = await call(`GET ${path}`, options);
  assert.equal(status, 200, JSON.stringify(body));
  return body.data.map(({ address }: { address: string }) => address);
};

test('numbers and private addresses are for their person and for admins of the organization', async () => {
  const { user, session, path } = await withContacts();
  const whole = [user.email, number, privately];
  const masked = [user.email, '…5678', 'a…@example.net'];
  const admin = await member('admin');
  const manager = await member('manager');
  const { teamId } = world.first;
  const keyOf = async (role: string, more: object = {}) =>
    (await made('/api-keys', { name: role, role, ...more })).key as string;
  const readers: readonly (readonly [string, RequestOptions, readonly string[]])[] = [
    ['themselves', { session }, whole],
    ['an admin', { session: admin.session }, whole],
    ['a key of an admin', { key: await keyOf('admin') }, whole],
    ['a manager', { session: manager.session }, masked],
    ['a key of a viewer', { key: await keyOf('viewer') }, masked],
    ['a key of a manager', { key: await keyOf('manager') }, masked],
    ['an admin’s key of one team', { key: await keyOf('admin', { team_ids: [teamId] }) }, masked],
  ];
  for (const [who, options, addresses] of readers)
    assert.deepEqual(await shown(path, options), addresses, who);
});

test('no key changes or removes a contact, and no admin one of an owner', async () => {
  const { path, sms } = await withContacts();
  for (const line of [`PATCH ${path}/${sms}`, `DELETE ${path}/${sms}`]) {
    const { status, body } = await call(line, { key: world.first.key, body: { position: 1 } });
    assert.deepEqual([status, body.error], [403, 'session_only'], line);
  }
  const admin = await member('admin');
  const owner = await world.signIn(OWNER.email, OWNER.password);
  const owners = `/users/${world.first.userId}/contacts`;
  const body = { channel: 'sms', address: '+4915100000077' };
  const { id } = (await call(`POST ${owners}`, { session: owner, body })).body;
  const ofAdmin = (line: string, body?: object) =>
    call(line, { session: admin.session, ...(body && { body }) });
  for (const [line, sent] of [
    [`POST ${owners}`, { ...body, address: '+4915100000078' }],
    [`PATCH ${owners}/${id}`, { label: 'Mine' }],
    [`DELETE ${owners}/${id}`, undefined],
  ] as const) {
    const { status, body } = await ofAdmin(line, sent);
    assert.deepEqual([status, body.message], [403, 'Only owners can change owners.'], line);
  }
  assert.equal((await call(`DELETE ${owners}/${id}`, { session: owner })).status, 200);
  assert.equal((await ofAdmin(`DELETE ${path}/${sms}`)).status, 200, 'of others they do');
});

test('a person gets a mail when a verified contact of theirs was removed', async () => {
  const { user, session, path, sms, email } = await withContacts();
  const admin = await member('admin');
  const removed = async (id: string, by: SignedIn) => {
    const before = world.mail.mails.length;
    assert.equal((await call(`DELETE ${path}/${id}`, { session: by })).status, 200);
    await world.idle();
    return world.mail.mails.slice(before);
  };
  const [mail = assert.fail('no mail'), ...others] = await removed(sms, admin.session);
  assert.deepEqual([mail.to, others], [user.email, []]);
  assert.match(mail.subject, /^One of your contacts was removed/);
  assert.match(mail.text, /SMS to …5678/);
  assert.match(mail.text, /Removed by:? Lin/);
  assert.equal((await removed(email, session)).length, 1, 'a stolen session removes them too');
});
