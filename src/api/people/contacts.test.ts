import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { OWNER, peopleWorld } from '../../../test/people-world.ts';

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

test('a contact is verified by its owner, with the code that was sent', async () => {
  const { user, session } = await member('responder');
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
