import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { peopleWorld } from '../../../test/people-world.ts';

// Ends before the database server does, whose own hook comes with the first database.
after(() => world[Symbol.asyncDispose]());
const world = await peopleWorld();
beforeEach(() => world.pass({ minutes: 6 }));

const { call, person, member } = world;

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

test('a person adds and removes their own contacts, and nobody else does', async () => {
  const { user, session } = await member('responder');
  const path = `/users/${user.id}/contacts`;
  const body = { channel: 'phone', address: '+4915112345678' };
  const contact = (await call(`POST ${path}`, { session, body })).body;
  assert.equal(contact.verified, false);
  assert.equal((await call(`POST ${path}`, { session, body })).status, 409);
  const others = await person();
  const foreign = await call(`POST /users/${others.id}/contacts`, { session, body });
  assert.equal(foreign.status, 403);
  assert.equal((await call(`DELETE ${path}/${contact.id}`, { session })).status, 200);
  const national = { channel: 'sms', address: '0151 12345678' };
  const { issues } = (await call(`POST ${path}`, { session, body: national })).body;
  assert.deepEqual(issues, [{ path: 'address', message: 'must be a number such as +4930123456' }]);
  const sentBack = { ...contact, verified: true };
  assert.equal((await call(`POST ${path}`, { session, body: sentBack })).body.verified, false);
});
