import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { OWNER, peopleWorld } from '../../../test/people-world.ts';

// Ends before the database server does, whose own hook comes with the first database.
after(() => world[Symbol.asyncDispose]());
const world = await peopleWorld();
beforeEach(() => world.pass({ minutes: 6 }));

const { call, member, mail } = world;

/** A person with an e-mail contact that is not verified yet. */
async function seedContact(address: string) {
  const { user, session } = await member('responder');
  const path = `/users/${user.id}/contacts`;
  const body = { channel: 'email', address };
  const { id } = (await call(`POST ${path}`, { session, body })).body;
  return { session, path, code: `POST ${path}/${id}/code`, verify: `POST ${path}/${id}/verify` };
}

/** The code of the last mail to that address. */
function codeTo(address: string): string {
  const text = mail.mails.findLast(({ to }) => to === address)?.text ?? '';
  return /^Code: ([0-9]{6})$/m.exec(text)?.[1] ?? '';
}

const another = (code: string) => (code === '000000' ? '000001' : '000000');

test('a contact is verified by its owner, with the code that was mailed to it', async () => {
  const { session, path, code, verify } = await seedContact('ada@home.example');
  const owner = await world.signIn(OWNER.email, OWNER.password);
  assert.equal((await call(code, { session: owner })).status, 403);
  assert.equal((await call(code)).status, 403);
  const response = await call(code, { session });
  assert.deepEqual([response.status, mail.mails.length], [202, 1]);
  const right = { code: codeTo('ada@home.example') };
  assert.equal((await call(verify, { session: owner, body: right })).status, 403);
  const proved = await call(verify, { session, body: right });
  assert.deepEqual([proved.status, proved.body.verified], [200, true]);
  const { data } = (await call(`GET ${path}`, { session })).body;
  assert.deepEqual(
    data.map((one: { verified: boolean }) => one.verified),
    [true, true],
  );
  assert.equal((await call(code, { session })).status, 409, 'verified already');
});

test('five wrong tries use a code up, and it is valid for a quarter of an hour', async () => {
  const { session, code, verify } = await seedContact('lin@home.example');
  await call(code, { session });
  const first = codeTo('lin@home.example');
  const wrong = { session, body: { code: another(first) } };
  for (let tried = 0; tried < 5; tried += 1) assert.equal((await call(verify, wrong)).status, 422);
  assert.equal((await call(verify, { session, body: { code: first } })).status, 422);
  world.pass({ minutes: 2 });
  await call(code, { session });
  const late = { session, body: { code: codeTo('lin@home.example') } };
  world.pass({ minutes: 15 });
  assert.equal((await call(verify, late)).status, 422);
});

test('codes are sent once a minute to a contact, and ten times an hour to a person', async () => {
  const { session, path, code } = await seedContact('grace@home.example');
  const statuses: number[] = [];
  for (let sent = 0; sent < 9; sent += 1) {
    statuses.push((await call(code, { session })).status);
    world.pass({ seconds: 30 });
  }
  assert.deepEqual(statuses, [202, 429, 202, 429, 202, 429, 202, 429, 202]);
  const body = { channel: 'email', address: 'grace@work.example' };
  const { id } = (await call(`POST ${path}`, { session, body })).body;
  assert.equal((await call(`POST ${path}/${id}/code`, { session })).status, 202);
  world.pass({ minutes: 2 });
  assert.equal((await call(code, { session })).status, 429, 'the eleventh');
  assert.equal(mail.mails.filter(({ to }) => to.startsWith('grace@')).length, 6);
});

test('a channel that is not set up, or does not answer, sends no code and says so', async () => {
  const { session, path, code } = await seedContact('joan@home.example');
  const body = { channel: 'sms', address: '+4915112345678' };
  const { id } = (await call(`POST ${path}`, { session, body })).body;
  const absent = await call(`POST ${path}/${id}/code`, { session });
  const message = 'This server cannot send codes by sms: it is not set up.';
  assert.deepEqual([absent.status, absent.body.message], [503, message]);
  await mail[Symbol.asyncDispose]();
  const silent = await call(code, { session });
  assert.equal(silent.status, 503);
  assert.match(silent.body.message, /^The code could not be sent: the mail was not taken/);
});
