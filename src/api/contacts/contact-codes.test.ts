import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { connectNumbers, OWNER, peopleWorld } from '../../../test/people-world.ts';
import { systemClock } from '../../engine/clock.ts';
import { accessLimits } from '../../limits/access.ts';
import { removeExpired } from '../../storage/people/sign-ins.ts';

// Ends before the database server does, whose own hook comes with the first database.
after(() => world[Symbol.asyncDispose]());
const world = await peopleWorld();
beforeEach(() => world.pass({ minutes: 6 }));

const { call, member, mail } = world;
await connectNumbers(world);

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
  const mails = mail.mails.filter(({ to }) => to === 'ada@home.example');
  assert.deepEqual([response.status, mails.length], [202, 1]);
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
  for (let sent = 0; sent < 17; sent += 1) {
    statuses.push((await call(code, { session })).status);
    world.pass({ seconds: 30 });
  }
  assert.deepEqual(statuses.slice(0, 6), [202, 429, 202, 429, 202, 429]);
  const body = { channel: 'email', address: 'grace@work.example' };
  const { id } = (await call(`POST ${path}`, { session, body })).body;
  assert.equal((await call(`POST ${path}/${id}/code`, { session })).status, 202);
  world.pass({ minutes: 2 });
  const refused = await call(code, { session });
  assert.equal(refused.status, 429, 'the eleventh');
  assert.match(refused.body.message, /^You were sent 10 codes .*: try again in 50 minutes\.$/);
  assert.equal(mail.mails.filter(({ to }) => to.startsWith('grace@')).length, 10);
  world.pass({ minutes: 50 });
  assert.equal((await call(code, { session })).status, 202, 'the first are longer ago');
});

const sms = (address: string) => ({ channel: 'sms', address });

/** Somebody with a number; codes of theirs go out when `send` is called. */
async function seedNumber(number: string) {
  const { user, session } = await member('responder');
  const path = `/users/${user.id}/contacts`;
  const { status, body } = await call(`POST ${path}`, { session, body: sms(number) });
  assert.equal(status, 201, JSON.stringify(body));
  const one = `${path}/${body.id}`;
  const send = () => call(`POST ${one}/code`, { session });
  return { session, path, one, send };
}

test('a number is verified by a code that is texted or read out', async () => {
  const { session, path, one, send } = await seedNumber('+4915100000001');
  assert.equal((await send()).status, 202);
  const texted = world.calls.at(-1);
  assert.deepEqual([texted?.channel, texted?.number], ['sms', '+4915100000001']);
  const codeIn = (notice = texted?.notice) =>
    notice?.about === 'contact' ? notice.proof.code : '';
  const body = { code: codeIn() };
  const proved = await call(`POST ${one}/verify`, { session, body });
  assert.deepEqual([proved.status, proved.body.verified], [200, true]);
  const phone = { channel: 'phone', address: '+4915100000001' };
  const { id, verified } = (await call(`POST ${path}`, { session, body: phone })).body;
  assert.equal(verified, false, 'calls are proved by a call');
  await call(`POST ${path}/${id}/code`, { session });
  const called = world.calls.at(-1);
  assert.deepEqual([called?.channel, called?.number], ['phone', '+4915100000001']);
  const right = { code: codeIn(called?.notice) };
  assert.equal((await call(`POST ${path}/${id}/verify`, { session, body: right })).status, 200);
});

test('a number gets five codes a day, whoever adds it and by whichever channel', async () => {
  const number = '+4915100000002';
  const [own, other] = [await seedNumber(number), await seedNumber(number)];
  for (const { send } of [own, own, other, other]) {
    assert.equal((await send()).status, 202);
    world.pass({ minutes: 10 });
  }
  const phone = { channel: 'phone', address: number };
  const { session, path } = own;
  const { id } = (await call(`POST ${path}`, { session, body: phone })).body;
  assert.equal((await call(`POST ${path}/${id}/code`, { session })).status, 202);
  world.pass({ minutes: 10 });
  const refused = await other.send();
  assert.equal(refused.status, 429);
  assert.match(refused.body.message, /^This number received 5 codes .*: try again in 24 hours\.$/);
  assert.equal((await (await seedNumber('+4915100000003')).send()).status, 202, 'another number');
  world.pass({ hours: 24 });
  assert.equal((await other.send()).status, 202);
});

test('a contact that is removed and added again waits for its code as before', async () => {
  const address = '+4915100000008';
  const { session, path, one, send } = await seedNumber(address);
  assert.equal((await send()).status, 202);
  let last = one;
  const anew = async (body: object) => {
    assert.equal((await call(`DELETE ${last}`, { session })).status, 200);
    last = `${path}/${(await call(`POST ${path}`, { session, body })).body.id}`;
    return call(`POST ${last}/code`, { session });
  };
  const early = await anew(sms(address));
  assert.equal(early.status, 429);
  assert.match(early.body.message, /^A code was just sent to this contact: try again in \d\d? /);
  for (let sent = 1; sent < accessLimits.codesToNumber; sent += 1) {
    world.pass({ minutes: 10 });
    assert.equal((await anew(sms(address))).status, 202);
  }
  world.pass({ minutes: 10 });
  assert.match((await anew(sms(address))).body.message, /^This number received 5 codes/);
  const mailed = { channel: 'email', address: 'ida@home.example' };
  assert.equal((await anew(mailed)).status, 202);
  assert.equal((await anew(mailed)).status, 429);
});

test('numbers are not stored with what is counted of them, and that is removed', async () => {
  await (await seedNumber('+4915100000004')).send();
  const rows = await world.sql`select * from sends_to_unproved`;
  assert.ok(rows.length > 0);
  assert.doesNotMatch(JSON.stringify(rows), /15100000004/);
  const at = systemClock.now().add({ hours: 24 * 30 });
  assert.ok((await removeExpired(world.sql, at)) > 0);
  assert.equal((await world.sql`select from sends_to_unproved`).length, 0);
});

test('an organization sends fifty codes a day to numbers; mails have no part in that', async () => {
  const { organizationId } = world.first;
  const { user } = await member('responder');
  const digest = Buffer.from('somewhere else');
  await world.sql`
    insert into sends_to_unproved (organization_id, user_id, channel, kind, address_digest, sent_at)
    select ${organizationId}, ${user.id}, 'sms', 'code', ${digest}, ${world.now()}
    from generate_series(1, ${accessLimits.codesOfOrganization})`;
  const refused = await (await seedNumber('+4915100000005')).send();
  assert.deepEqual([refused.status], [429]);
  assert.match(
    refused.body.message,
    /^Your organization sent 50 codes .* try again in 24 hours\.$/,
  );
  const { session, code } = await seedContact('mary@home.example');
  assert.equal((await call(code, { session })).status, 202);
  await world.sql`delete from sends_to_unproved`;
});

test('a number whose connection is gone gets no code', async () => {
  const { send } = await seedNumber('+4915100000006');
  await world.sql`update channel_connections set enabled = false`;
  const { status, body } = await send();
  assert.deepEqual([status, body.issues[0].path], [422, 'channel']);
  await world.sql`update channel_connections set enabled = true`;
});

test('no code is sent where a person has to write first', async () => {
  const { session, path } = await seedContact('judy@home.example');
  const body = { channel: 'email', address: 'judy.w@home.example' };
  const { id } = (await call(`POST ${path}`, { session, body })).body;
  // As the release before made them.
  await world.sql`
    update contacts set channel = 'whatsapp', address = '+4915112345678' where id = ${id}`;
  const refused = await call(`POST ${path}/${id}/code`, { session });
  assert.deepEqual([refused.status, refused.body.issues[0].path], [422, 'channel']);
  const made = { channel: 'whatsapp', address: '+4915112345679' };
  assert.equal((await call(`POST ${path}`, { session, body: made })).status, 422);
});

test('a channel that is not set up, or does not answer, sends no code and says so', async () => {
  const { session, path, code } = await seedContact('joan@home.example');
  const { id } = (
    await call(`POST ${path}`, { session, body: { channel: 'email', address: 'j@home.example' } })
  ).body;
  // As a later release may have made it.
  await world.sql`update contacts set channel = 'pigeon' where id = ${id}`;
  const absent = await call(`POST ${path}/${id}/code`, { session });
  const message = 'This server cannot send codes by pigeon because that channel is not set up.';
  assert.deepEqual([absent.status, absent.body.message], [503, message]);
  await mail[Symbol.asyncDispose]();
  const silent = await call(code, { session });
  assert.equal(silent.status, 503);
  assert.match(silent.body.message, /^The code could not be sent: the e-mail was not accepted/);
});
