import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { noFaults } from '../../../test/no-faults.ts';
import {
  connectNumbers,
  OWNER,
  peopleWorld,
  type RequestOptions,
} from '../../../test/people-world.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import { accessLimits } from '../../limits/access.ts';
import { ConfigurationCache } from '../../storage/configuration/cache.ts';
import { transact } from '../../storage/database/database.ts';
import { loseContact, restoreContact } from '../../storage/people/lost-contacts.ts';
import { findReachable } from '../../storage/people/reach.ts';

// Ends before the database server does, whose own hook comes with the first database.
after(() => world[Symbol.asyncDispose]());
const world = await peopleWorld();
beforeEach(() => world.pass({ minutes: 6 }));

const { call, person, member } = world;
await connectNumbers(world);

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
  const session = await world.signIn(OWNER.email, OWNER.password);
  const gone = await call(`DELETE /users/${user.id}/contacts/${contacts[0].id}`, { session });
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
  assert.deepEqual(issues, [
    { path: 'address', message: 'must be a phone number such as +4930123456' },
  ]);
  const written = { channel: 'sms', address: '+49 (0)151 - 99 99 99 99' };
  const read = await call(`POST ${path}`, { session, body: written });
  assert.equal(read.body.address, '+4915199999999');
  const sentBack = { ...contact, verified: true };
  assert.equal((await call(`POST ${path}`, { session, body: sentBack })).body.verified, false);
});

test('no key removes a contact, and none ends the link of a chat account', async () => {
  const { user, session } = await member('responder');
  const path = `/users/${user.id}/contacts`;
  const body = { channel: 'phone', address: '+4915112345679' };
  const { id } = (await call(`POST ${path}`, { session, body })).body;
  for (const line of [`DELETE ${path}/${id}`, `DELETE /users/${user.id}/chat-accounts/${id}`]) {
    const refused = await call(line);
    assert.deepEqual([refused.status, refused.body.error], [403, 'session_only'], line);
  }
  const owner = await world.signIn(OWNER.email, OWNER.password);
  assert.equal((await call(`DELETE ${path}/${id}`, { session: owner })).status, 200);
});

test('a number is added only if a connection calls or texts it', async () => {
  const { user, session } = await member('responder');
  const path = `/users/${user.id}/contacts`;
  const add = (channel: string, address: string) =>
    call(`POST ${path}`, { session, body: { channel, address } });
  const refused = await add('sms', '+33612345678');
  assert.deepEqual(refused.body.issues, [
    {
      path: 'address',
      message: 'begins with no prefix that an admin has allowed',
    },
  ]);
  const { body } = await add('phone', '+882161234567');
  assert.match(body.issues[0].message, /^begins with \+882/);
  assert.equal((await add('sms', '+4915112345678')).status, 201);
  await world.sql`update channel_connections set enabled = false`;
  const none = await add('phone', '+4915112345678');
  assert.deepEqual([none.status, none.body.issues[0].path], [422, 'channel']);
  await world.sql`update channel_connections set enabled = true,
    settings = (settings::jsonb - 'from_phone')::json`;
  assert.equal((await add('phone', '+4915112345678')).status, 422, 'it texts only');
  await world.sql`delete from channel_connections`;
  await connectNumbers(world);
});

test('contacts have labels, and are put in an order on their channel', async () => {
  const { user, session } = await member('responder');
  const path = `/users/${user.id}/contacts`;
  const add = async (channel: string, address: string, label?: string) =>
    (await call(`POST ${path}`, { session, body: { channel, address, label } })).body;
  const first = await add('sms', '+4915100000001', 'Work');
  const second = await add('sms', '+4915100000002');
  const third = await add('sms', '+4915100000003');
  const other = await add('phone', '+4915100000001');
  assert.deepEqual([first.label, first.position, second.position], ['Work', 1, 2]);
  assert.deepEqual([third.position, other.position], [3, 1]);
  const order = async () => {
    const { data } = (await call(`GET ${path}`, { session })).body;
    const sms = data.filter(({ channel }: { channel: string }) => channel === 'sms');
    return [first, second, third].map(
      ({ id }) => sms.find((one: { id: string }) => one.id === id)?.position,
    );
  };
  const change = (id: string, body: object) => call(`PATCH ${path}/${id}`, { session, body });
  const moved = await change(third.id, { position: 1, label: 'Night' });
  assert.deepEqual([moved.body.position, moved.body.label], [1, 'Night']);
  assert.deepEqual(await order(), [2, 3, 1]);
  assert.equal((await change(third.id, { position: 50 })).body.position, 3);
  assert.deepEqual(await order(), [1, 2, 3]);
  const plain = await change(third.id, { label: null });
  assert.deepEqual([plain.body.label, plain.body.position], [undefined, 3]);
  assert.deepEqual((await change(third.id, { address: '+491' })).status, 422);
  const foreign = await person();
  const owner = await world.signIn(OWNER.email, OWNER.password);
  const elsewhere = await call(`PATCH /users/${foreign.id}/contacts/${third.id}`, {
    session: owner,
  });
  assert.equal(elsewhere.status, 404);
  const stranger = await member('responder');
  const options = { session: stranger.session, body: { label: 'X' } };
  assert.equal((await call(`PATCH ${path}/${first.id}`, options)).status, 403);
  const log = await world.sql`
    select action from audit_log where record_id = ${third.id} order by id`;
  assert.deepEqual(
    log.map(({ action }) => action),
    ['create', 'update', 'update', 'update'],
  );
});

test('the e-mail that somebody signs in with is used first until they choose another', async () => {
  const { user, session } = await member('responder');
  const path = `/users/${user.id}/contacts`;
  const body = { channel: 'email', address: 'night@home.example' };
  const { id } = (await call(`POST ${path}`, { session, body })).body;
  await world.sql`update contacts set verified_at = now() where id = ${id}`;
  const addresses = async () => {
    const cache = new ConfigurationCache(new Set(['email']), noFaults);
    const { organizationId } = world.first;
    const read = await transact(world.sql, (tx) =>
      cache.read(tx, [organizationId], systemClock.now()),
    );
    return read.get(organizationId)?.people.get(user.id)?.addresses['email'];
  };
  assert.deepEqual(await addresses(), [user.email, 'night@home.example']);
  await call(`PATCH ${path}/${id}`, { session, body: { position: 1 } });
  assert.deepEqual(await addresses(), ['night@home.example', user.email]);
  const [reachable] = await findReachable(world.sql, user.email);
  assert.equal(reachable?.addresses.get('email'), 'night@home.example');
});

test('a number that opted out is used again after START; one that is invalid is not', async () => {
  const { user, session } = await member('responder');
  const path = `/users/${user.id}/contacts`;
  const address = '+4915100000009';
  const { id } = (await call(`POST ${path}`, { session, body: { channel: 'sms', address } })).body;
  await world.sql`update contacts set verified_at = now() where id = ${id}`;
  const at = { organizationId: world.first.organizationId, channel: 'sms', address };
  const means = { ...at, ids: createIds(systemClock), now: systemClock.now() };
  const { sql, secrets } = world;
  const configurations = new ConfigurationCache(new Set(['email']), noFaults);
  const parts = { sql, secrets, ids: means.ids, configurations, faults: noFaults };
  const shown = async () => {
    const { data } = (await call(`GET ${path}`, { session })).body;
    const { verified, state } = data.find((one: { id: string }) => one.id === id);
    return [verified, state];
  };
  await loseContact(parts, means, { state: 'opted_out', reason: 'STOP was answered.' });
  assert.deepEqual(await shown(), [false, 'opted_out']);
  await restoreContact(world.sql, means, 'opted_out');
  assert.deepEqual(await shown(), [true, undefined]);
  const invalid = { state: 'invalid', reason: 'There is no such number.' } as const;
  await loseContact(parts, means, invalid);
  await loseContact(parts, { ...means, now: means.now.add({ minutes: 5 }) }, invalid);
  await restoreContact(world.sql, means, 'opted_out');
  assert.deepEqual(await shown(), [false, 'invalid']);
});

test('a test page is sent to a verified contact as pages are, five times an hour', async () => {
  const { user, session } = await member('responder');
  const path = `/users/${user.id}/contacts`;
  const body = { channel: 'sms', address: '+4915100000010' };
  const { id } = (await call(`POST ${path}`, { session, body })).body;
  const send = (options: RequestOptions = { session }) => call(`POST ${path}/${id}/test`, options);
  assert.equal((await send()).status, 409, 'it is not proved yet');
  await world.sql`update contacts set verified_at = now() where id = ${id}`;
  const stranger = await member('responder');
  assert.equal((await send({ session: stranger.session })).status, 403);
  const sent = await send();
  assert.deepEqual([sent.status, sent.body.delivered], [202, false]);
  const { number, notice } = world.calls.at(-1) ?? {};
  assert.deepEqual([number, notice?.about, notice?.kind], [body.address, 'incident', 'page']);
  await world.sql`update channel_connections set settings =
    (settings::jsonb || '{"allowed_prefixes": ["+33"]}')::json`;
  assert.equal((await send()).status, 422, 'its prefix is allowed no more');
  const sms = (await call(`GET ${path}`, { session })).body.data.find(
    (one: { id: string }) => one.id === id,
  );
  assert.deepEqual(
    [sms.reachability, sms.reachability_reason],
    ['broken', 'The number begins with no prefix that an admin has allowed.'],
  );
  await world.sql`delete from channel_connections`;
  assert.equal((await send()).status, 503);
  await connectNumbers(world);
  const { data } = (await call(`GET ${path}`, { session })).body;
  const mail = data.find(({ channel }: { channel: string }) => channel === 'email');
  for (let count = 1; count < 5; count += 1)
    assert.equal((await call(`POST ${path}/${mail.id}/test`, { session })).status, 202);
  assert.match(world.mail.mails.at(-1)?.text ?? '', /Test page: nothing is wrong/);
  const refused = await send({ key: world.first.key });
  assert.equal(refused.status, 429);
  assert.match(
    refused.body.message,
    /^This person was sent 5 tests .*: try again in 60 minutes\.$/,
  );
});

test('a number takes five test pages a day, and an organization sends fifty to numbers', async () => {
  const address = '+4915100000099';
  const seed = async () => {
    const { user, session } = await member('responder');
    const path = `/users/${user.id}/contacts`;
    const body = { channel: 'phone', address };
    const { id } = (await call(`POST ${path}`, { session, body })).body;
    await world.sql`update contacts set verified_at = now() where id = ${id}`;
    return { user, send: () => call(`POST ${path}/${id}/test`, { session }) };
  };
  const [own, other] = [await seed(), await seed()];
  for (const { send } of [own, other, own, other, own]) {
    assert.equal((await send()).status, 202);
    world.pass({ minutes: 61 });
  }
  const refused = await other.send();
  assert.equal(refused.status, 429);
  assert.match(refused.body.message, /^This number received 5 tests .*: try again in 19 hours\.$/);
  world.pass({ hours: 24 });
  await world.sql`
    insert into sends_to_unproved (organization_id, user_id, channel, kind, address_digest, sent_at)
    select ${world.first.organizationId}, ${own.user.id}, 'sms', 'test', ${Buffer.from('else')},
      ${world.now()}
    from generate_series(1, ${accessLimits.testsOfOrganization})`;
  const full = await other.send();
  assert.equal(full.status, 429);
  assert.match(full.body.message, /^Your organization sent 50 tests to numbers .* in 24 hours\.$/);
  await world.sql`delete from sends_to_unproved`;
});

test('a premium number has to be allowed by name, and stays if it was proved before', async () => {
  const { user, session } = await member('responder');
  const path = `/users/${user.id}/contacts`;
  const body = { channel: 'phone', address: '+4990012345678' };
  const refused = await call(`POST ${path}`, { session, body });
  assert.equal(refused.status, 422);
  assert.match(refused.body.issues[0].message, /^begins with \+49900, a premium-rate prefix/);
  const allow = (prefixes: string) => world.sql`
    update channel_connections set settings =
      (settings::jsonb || ${`{"allowed_prefixes": ${prefixes}}`}::text::jsonb)::json`;
  await allow('["+49", "+49900"]');
  const { id } = (await call(`POST ${path}`, { session, body })).body;
  await allow('["+49"]');
  const code = await call(`POST ${path}/${id}/code`, { session });
  assert.deepEqual([code.status, code.body.issues[0].path], [422, 'address'], 'not proved yet');
  await world.sql`update contacts set verified_at = now() where id = ${id}`;
  const { data } = (await call(`GET ${path}`, { session })).body;
  const { reachability } = data.find((one: { id: string }) => one.id === id);
  assert.equal(reachability, 'likely');
  assert.equal((await call(`POST ${path}/${id}/test`, { session })).status, 202);
});

test('a test page is answered by its link, which proves the contact', async () => {
  const { user, session } = await member('responder');
  const path = `/users/${user.id}/contacts`;
  const body = { channel: 'email', address: 'tested@home.example' };
  const { id } = (await call(`POST ${path}`, { session, body })).body;
  await world.sql`update contacts set verified_at = '2020-02-01T12:00:00Z' where id = ${id}`;
  await world.sql`
    insert into contact_proofs (organization_id, contact_id, proved_at)
    select organization_id, id, verified_at from contacts where id = ${id}`;
  const shown = async () => {
    const { data } = (await call(`GET ${path}`, { session })).body;
    return data.find((one: { id: string }) => one.id === id);
  };
  const before = await shown();
  assert.deepEqual(
    [before.reachability, before.reachability_reason, before.proved_at.slice(0, 10)],
    ['likely', 'Not confirmed since 2020-02-01.', '2020-02-01'],
  );
  assert.equal((await call(`POST ${path}/${id}/test`, { session })).status, 202);
  const text = world.mail.mails.at(-1)?.text ?? '';
  const [, link = ''] = /I got it:? (https:\S+)/.exec(text) ?? [];
  const url = new URL(link).pathname;
  const request = (method: 'GET' | 'POST', to = url) => world.app.inject({ method, url: to });
  assert.match((await request('GET')).body, /I got it/);
  assert.deepEqual(await shown(), before, 'mail programs open links by themselves');
  const forged = url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  const wrong = await request('POST', forged.replace(id, user.id));
  assert.equal(wrong.statusCode, 404);
  const answered = await request('POST');
  assert.deepEqual([answered.statusCode, /Thank you/.test(answered.body)], [200, true]);
  const after = await shown();
  assert.deepEqual([after.reachability, after.reachability_reason], ['proved', undefined]);
  assert.ok(after.proved_at > before.proved_at);
  await world.sql`update contacts set verified_at = null where id = ${id}`;
  assert.equal((await request('POST')).statusCode, 404, 'it is not used any more');
  world.pass({ hours: 24 * 8 });
  assert.equal((await request('POST')).statusCode, 404, 'it has expired');
});
