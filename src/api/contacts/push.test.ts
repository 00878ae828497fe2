import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { OWNER, peopleWorld } from '../../../test/people-world.ts';
import { startPushService } from '../../../test/push-service.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';

// Ends before the database server does, whose own hook comes with the first database.
after(() => Promise.all([world, service].map((one) => one[Symbol.asyncDispose]())));
const world = await peopleWorld();
const ids = createIds(systemClock);
const { call } = world;
const service = await startPushService(() => Temporal.Now.instant());

const session = await world.signIn(OWNER.email, OWNER.password);
const { public_key } = (await call('GET /push/key')).body;
const path = `/users/${world.first.userId}/contacts`;

const add = (subscription: object) => {
  const body = { channel: 'push-notification', address: `web:${JSON.stringify(subscription)}` };
  return call(`POST ${path}`, { session, body });
};
const contactOf = async (id: string) =>
  (await call(`GET ${path}`)).body.data.find((one: { id: string }) => one.id === id);

test('a browser becomes a contact once it sends back what was pushed to it', async () => {
  const browser = service.browser(public_key);
  const { status, body: contact } = await add(browser.subscription);
  assert.equal(status, 201, JSON.stringify(contact));
  assert.match(contact.address, new RegExp(`^\\S.* · …${browser.fingerprint}$`));
  assert.deepEqual([contact.verified, contact.state], [false, undefined]);
  assert.equal((await call(`POST ${path}/${contact.id}/code`, { session })).status, 202);
  const [push] = browser.received;
  assert.deepEqual(service.complaints, []);
  assert.equal(push?.content.proof?.contact_id, contact.id);
  const body = { code: push?.content.proof?.code };
  const verified = await call(`POST ${path}/${contact.id}/verify`, { session, body });
  assert.deepEqual([verified.status, verified.body.verified], [200, true]);
  const again = await add(browser.subscription);
  assert.deepEqual([again.status, again.body.error], [409, 'conflict']);
});

test('a code tells nothing of the addresses and servers of this network', async () => {
  const closed = service.browser(public_key).subscription;
  for (const endpoint of ['https://10.1.2.3/push', 'https://localhost:1/push']) {
    const { id } = (await add({ ...closed, endpoint })).body;
    const { status, body } = await call(`POST ${path}/${id}/code`, { session });
    const message = 'The code could not be sent: its push service did not accept it.';
    assert.deepEqual([status, body.message], [503, message], endpoint);
  }
});

test('a subscription is stored sealed, and neither the API nor the audit log has it', async () => {
  const browser = service.browser(public_key);
  const { body } = await add(browser.subscription);
  const { endpoint, keys } = browser.subscription;
  const [stored] = await world.sql<{ text: string; sealed: string }[]>`
    select c::text as text, subscription_encrypted as sealed from contacts c where id = ${body.id}`;
  assert.match(stored?.sealed ?? '', /^v2:/);
  const log = await call('GET /audit-log?kind=contact&limit=200');
  const shown = JSON.stringify([stored?.text, await call(`GET ${path}`), log.body, body]);
  assert.ok(shown.includes(browser.fingerprint));
  for (const secret of [new URL(endpoint).pathname, keys.auth, keys.p256dh])
    assert.equal(shown.includes(secret), false, secret);
});

test('a server that does not know of subscriptions cannot store one readable', async () => {
  const { userId: user_id, organizationId: organization_id } = world.first;
  const contact = (address: string) => ({
    organization_id,
    user_id,
    id: ids.next(),
    channel: 'push-notification',
    address,
    created_at: Temporal.Now.instant(),
  });
  const text = `web:${JSON.stringify(service.browser(public_key).subscription)}`;
  await assert.rejects(
    world.sql`insert into contacts ${world.sql(contact(text))}`,
    /contacts_subscription_sealed/,
  );
  await world.sql`insert into contacts ${world.sql(contact('Pixel 9'))}`;
});

test('a person has ten devices that take pushes; those that are gone do not count', async () => {
  const { user, session: own } = await world.member('responder');
  const addOne = () => {
    const address = `web:${JSON.stringify(service.browser(public_key).subscription)}`;
    const body = { channel: 'push-notification', address };
    return call(`POST /users/${user.id}/contacts`, { session: own, body });
  };
  const made: string[] = [];
  for (const _each of Array(10)) {
    const { status, body } = await addOne();
    assert.equal(status, 201, JSON.stringify(body));
    made.push(body.id);
  }
  const refused = await addOne();
  assert.equal(refused.status, 409);
  assert.match(JSON.stringify(refused.body), /already has 10 devices/);
  await world.sql`update contacts set state = 'gone' where id = ${made[0] ?? ''}`;
  assert.equal((await addOne()).status, 201);
});

test('a device that is gone is no contact any more, and says why', async () => {
  const browser = service.browser(public_key);
  const { body: contact } = await add(browser.subscription);
  const send = () => call(`POST ${path}/${contact.id}/code`, { session });
  browser.answer = { status: 410 };
  const refused = await send();
  assert.equal(refused.status, 503);
  const { verified, state, state_reason, state_at } = await contactOf(contact.id);
  assert.deepEqual(
    { verified, state, state_reason },
    { verified: false, state: 'gone', state_reason: 'Its push service answered 410.' },
  );
  assert.ok(Temporal.Instant.from(state_at));
  const [entry] = (await call(`GET /audit-log?record_id=${contact.id}&action=update`)).body.data;
  assert.deepEqual([entry.actor.type, entry.after.state], ['server', 'gone']);
  browser.answer = { status: 201 };
  world.pass({ minutes: 2 });
  assert.equal((await send()).status, 202);
  const body = { code: browser.received.at(-1)?.content.proof?.code };
  const proved = await call(`POST ${path}/${contact.id}/verify`, { session, body });
  assert.deepEqual([proved.body.verified, proved.body.state], [true, undefined]);
  assert.equal((await contactOf(contact.id)).state, undefined);
});

test('a refusal of our own pushes leaves a contact as it is', async () => {
  const browser = service.browser(public_key);
  const { body: contact } = await add(browser.subscription);
  browser.answer = { status: 403 };
  assert.equal((await call(`POST ${path}/${contact.id}/code`, { session })).status, 503);
  assert.equal((await contactOf(contact.id)).state, undefined);
});

const { endpoint, keys } = service.browser(public_key).subscription;
const wrong: readonly (readonly [title: string, subscription: object])[] = [
  ['without keys', { endpoint }],
  ['at a plain address', { endpoint: endpoint.replace('https', 'http'), keys }],
  [
    'with a key that is no point of the curve',
    { endpoint, keys: { ...keys, p256dh: Buffer.alloc(65, 4).toString('base64url') } },
  ],
  ['that is too long', { endpoint: `${endpoint}${randomBytes(4_096).toString('hex')}`, keys }],
];
for (const [title, subscription] of wrong)
  test(`a subscription ${title} is refused`, async () => {
    const { status, body } = await add(subscription);
    assert.deepEqual([status, body.issues[0].path], [422, 'address']);
  });
