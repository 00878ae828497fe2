import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApi, testSecrets } from '../../../test/api.ts';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { noFaults } from '../../../test/no-faults.ts';
import { seedOrganization } from '../../../test/world.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import { accessLimits } from '../../limits/access.ts';
import { ConfigurationCache } from '../../storage/configuration/cache.ts';
import {
  noteHealth,
  type OpenConnection,
  openConnectionsOf,
} from '../../storage/connections/connections.ts';
import { transact } from '../../storage/database.ts';
import { usableChannels } from '../people/channels.ts';
import { connectionRoutes } from './routes.ts';

after(() => stack.disposeAsync());
const stack = new AsyncDisposableStack();
const { sql } = stack.use(await testDatabase({ server: await anyDatabase() }));
const ids = createIds(systemClock);
const checked: [OpenConnection, string | null][] = [];
const routes = connectionRoutes({
  ...{ sql, ids, secrets: testSecrets },
  async checkConnection(connection, address) {
    checked.push([connection, address]);
    return [{ name: 'credentials', ok: true, message: 'The bot answers.' }];
  },
});
const api = stack.use(await testApi({ sql, routes }));

const bot_token = `123456789:${'Aa0_-'.repeat(7)}`;
const bot = { name: 'Bot', vendor: 'telegram', secrets: { bot_token } };

async function organization() {
  const world = await seedOrganization(sql, { teams: ['ops'], users: [{ name: 'ada' }] });
  const admin = world.caller({ role: 'admin' });
  const send = (line: string, body?: unknown, headers = {}) =>
    api.send(admin, line, { headers, ...(body !== undefined && { body }) });
  const create = async (fields: object = {}) => {
    const { status, body } = await send('POST /channel-connections', { ...bot, ...fields });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  return { world, admin, send, create, organizationId: admin.organizationId };
}

/** Of another bot. */
const tokenOf = (bot: number) => ({ bot_token: `${bot}:${'Aa0_-'.repeat(7)}` });

const problemsOf = ({ body }: { body: { issues: { path: string }[] } }) =>
  body.issues.map(({ path }) => path);

test('a secret goes in, and only that it is there comes out', async () => {
  const { create, send, organizationId } = await organization();
  const made = await create();
  assert.deepEqual([made.channels, made.position, made.enabled], [['telegram'], 1, true]);
  assert.deepEqual(made.health, { state: 'unchecked' });
  const { set, ends } = made.secrets.bot_token;
  assert.deepEqual([set, ends], [true, bot_token.slice(-4)]);
  const { body } = await send('GET /channel-connections');
  const log = await sql`select * from audit_log where organization_id = ${organizationId}`;
  const rows = await sql`select * from channel_connections`;
  for (const shown of [made, body, log, rows])
    assert.doesNotMatch(JSON.stringify(shown), new RegExp(bot_token.slice(10, 40)));
  const [open] = await openConnectionsOf({ sql, secrets: testSecrets }, organizationId, 'telegram');
  assert.deepEqual(open?.secrets, { bot_token });
});

test('what was read is written back as it is, and a secret that is left out stays', async () => {
  const { create, send, organizationId } = await organization();
  const made = await create();
  const path = `/channel-connections/${made.id}`;
  const written = await send(`PUT ${path}`, { ...made, name: 'Other' });
  assert.deepEqual([written.status, written.body.name], [200, 'Other']);
  assert.deepEqual(written.body.secrets, made.secrets);
  const patched = await send(`PATCH ${path}`, { enabled: false });
  assert.deepEqual([patched.body.enabled, patched.body.name], [false, 'Other']);
  assert.deepEqual(patched.body.secrets, made.secrets);
  const other = `123456789:${'Zz9_-'.repeat(7)}`;
  await send(`PATCH ${path}`, { enabled: true, secrets: { bot_token: other } });
  const [open] = await openConnectionsOf({ sql, secrets: testSecrets }, organizationId, 'telegram');
  assert.deepEqual(open?.secrets, { bot_token: other });
});

test('wrong fields are named, and nothing is stored', async () => {
  const { send } = await organization();
  const refused = async (body: object) => problemsOf(await send('POST /channel-connections', body));
  assert.deepEqual(await refused({ name: 'Bot', vendor: 'telegram' }), ['secrets.bot_token']);
  assert.deepEqual(await refused({ ...bot, secrets: { bot_token: 'abc' } }), ['secrets.bot_token']);
  assert.deepEqual(await refused({ ...bot, vendor: 'pigeon' }), ['vendor']);
  assert.deepEqual(await refused({ ...bot, position: 0, colour: 'red' }), ['position', 'colour']);
  assert.deepEqual((await send('GET /channel-connections')).body.data, []);
});

test('a stale write is refused', async () => {
  const { create, send } = await organization();
  const { id } = await create();
  const stale = { 'if-match': '7' };
  const answer = await send(`PATCH /channel-connections/${id}`, { name: 'X' }, stale);
  assert.equal(answer.status, 409);
});

test('admins write, managers read, others see nothing; a key of one team neither', async () => {
  const { world, create } = await organization();
  const { id } = await create();
  const as = async (role: 'manager' | 'responder', line: string, teams?: string[]) => {
    const caller = world.caller({ role, ...(teams && { teamIds: teams }) });
    return (await api.send(caller, line, line.startsWith('GET') ? {} : { body: bot })).status;
  };
  assert.equal(await as('manager', 'GET /channel-connections'), 200);
  assert.equal(await as('manager', 'POST /channel-connections'), 403);
  assert.equal(await as('manager', `PATCH /channel-connections/${id}`), 403);
  assert.equal(await as('responder', 'GET /channel-connections'), 403);
  const team = world.teams['ops'] ?? '';
  assert.equal(await as('manager', 'GET /channel-connections', [team]), 403);
});

test('one organisation neither sees nor changes the connections of another', async () => {
  const [own, other] = [await organization(), await organization()];
  const { id } = await own.create();
  assert.equal((await other.send(`GET /channel-connections/${id}`)).status, 404);
  assert.equal((await other.send(`PATCH /channel-connections/${id}`, { name: 'X' })).status, 404);
  assert.equal((await other.send(`DELETE /channel-connections/${id}`)).status, 404);
  assert.equal((await other.send(`POST /channel-connections/${id}/test`, {})).status, 404);
});

test('there are only so many, in the order of their positions', async () => {
  const { create, send } = await organization();
  for (let made = accessLimits.connections; made > 0; made -= 1)
    await create({ name: `Bot ${made}`, position: made, secrets: tokenOf(made) });
  const { body } = await send('GET /channel-connections');
  assert.deepEqual(
    body.data.map(({ position }: { position: number }) => position),
    Array.from({ length: accessLimits.connections }, (_, index) => index + 1),
  );
  assert.equal((await send('POST /channel-connections', bot)).status, 409);
});

test('an account is connected once, and a connection stays with its account', async () => {
  const { create, send } = await organization();
  const { id } = await create();
  const again = await send('POST /channel-connections', bot);
  assert.deepEqual([again.status, problemsOf(again)], [409, ['secrets']]);
  const path = `/channel-connections/${id}`;
  const moved = await send(`PATCH ${path}`, { secrets: tokenOf(7) });
  assert.deepEqual([moved.status, problemsOf(moved)], [422, ['secrets']]);
  await send(`DELETE ${path}`);
  await create();
  const restored = await send(`POST ${path}/restore`);
  assert.equal(restored.status, 403, 'a key restores nothing');
});

test('one whose secrets cannot be opened stands in the way of no other', async () => {
  const { create, send, organizationId } = await organization();
  const { id } = await create();
  await create({ secrets: tokenOf(8) });
  const lost = { bot_token: { sealed: 'v2:lost', ends: 'lost', set_at: '2026-01-01T00:00:00Z' } };
  await sql`update channel_connections set secrets = ${sql.json(lost)} where id = ${id}`;
  const open = await openConnectionsOf({ sql, secrets: testSecrets }, organizationId, 'telegram');
  assert.deepEqual(
    open.map(({ secrets }) => secrets),
    [tokenOf(8)],
  );
  assert.equal((await send(`POST /channel-connections/${id}/test`, {})).status, 503);
});

test('a channel is usable, and decided with, while a connection of it is in use', async () => {
  const { create, send, organizationId } = await organization();
  const cache = new ConfigurationCache(new Set(['email']), noFaults);
  const known = async () => {
    const read = await transact(sql, (tx) => cache.read(tx, [organizationId], systemClock.now()));
    const usable = await usableChannels(sql, new Map([['email', null]]), organizationId);
    const decided = read.get(organizationId)?.channels ?? new Set();
    assert.deepEqual([...decided].sort(), [...usable].sort());
    return usable.has('telegram');
  };
  assert.equal(await known(), false);
  const { id } = await create();
  assert.equal(await known(), true);
  await send(`PATCH /channel-connections/${id}`, { enabled: false });
  assert.equal(await known(), false);
  await send(`PATCH /channel-connections/${id}`, { enabled: true });
  await send(`DELETE /channel-connections/${id}`);
  assert.equal(await known(), false);
  const again = await send(`DELETE /channel-connections/${id}`);
  assert.equal(again.status, 200, 'the same when repeated');
});

test('health is noted once a minute while it stays the same, and forgotten with the secret', async () => {
  const { create, send, organizationId } = await organization();
  const { id: connectionId } = await create();
  const now = systemClock.now();
  const note = (seconds: number, reason: string | null, account?: string) =>
    noteHealth(sql, {
      ...{ organizationId, connectionId, now: now.add({ seconds }), reason },
      ...(account && { account }),
    });
  const read = async () => (await send(`GET /channel-connections/${connectionId}`)).body;
  await note(0, null, 'acme_bot');
  const first = (await read()).health.checked_at;
  await note(30, null);
  assert.equal((await read()).health.checked_at, first);
  await note(31, 'the token is wrong');
  assert.deepEqual(
    [(await read()).health.state, (await read()).health.reason],
    [...['failing', 'the token is wrong']],
  );
  assert.equal((await read()).account, 'acme_bot', 'the name is known from before');
  await note(91, 'the token is wrong');
  assert.notEqual((await read()).health.checked_at, first);
  await send(`PATCH /channel-connections/${connectionId}`, { secrets: { bot_token } });
  assert.deepEqual((await read()).health, { state: 'unchecked' });
});

test('a test calls the vendor, and sends to nobody but the caller', async () => {
  const { create, send } = await organization();
  const { id } = await create();
  const { body } = await send(`POST /channel-connections/${id}/test`, {});
  assert.deepEqual(body.checks, [{ name: 'credentials', ok: true, message: 'The bot answers.' }]);
  const [connection, address] = checked.at(-1) ?? [];
  assert.deepEqual([connection?.secrets, address], [{ bot_token }, null]);
  const contact_id = '0123456789abcdef01234567';
  const foreign = await send(`POST /channel-connections/${id}/test`, { contact_id });
  assert.deepEqual(problemsOf(foreign), ['contact_id']);
});
