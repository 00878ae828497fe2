import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApi, testSecrets } from '../../../test/api.ts';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { noFaults } from '../../../test/no-faults.ts';
import { seedOrganization } from '../../../test/world.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import { accessLimits } from '../../limits/access.ts';
import { slackManifest } from '../../resources/connections/slack-manifest.ts';
import { ConfigurationCache } from '../../storage/configuration/cache.ts';
import { noteCheck } from '../../storage/connections/health.ts';
import {
  openCalledConnection,
  openConnectionsOf,
} from '../../storage/connections/open-connections.ts';
import { removeReplacedSecrets } from '../../storage/connections/stored-secrets.ts';
import { transact } from '../../storage/database/database.ts';
import { sealedColumnsOf } from '../../storage/sealed/sealed-columns.ts';
import { usableChannels } from '../contacts/channels.ts';
import { type ConnectionParts, connectionRoutes } from './routes.ts';

after(() => stack.disposeAsync());
const stack = new AsyncDisposableStack();
const { sql } = stack.use(await testDatabase({ server: await anyDatabase() }));
const ids = createIds(systemClock);
const checked: Parameters<ConnectionParts['checkConnection']>[] = [];
/** Where vendors call; null: nowhere. */
const address: { url: string | null } = { url: 'https://pager.example.com' };
const routes = connectionRoutes({
  publicUrl: 'https://pager.test',
  get isPublic() {
    return address.url !== null;
  },
  hasMailServer: false,
  callbackUrlOf: () => address.url,
  sql,
  ids,
  secrets: testSecrets,
  async checkConnection(connection, to) {
    checked.push([connection, to]);
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

test('of a password that a person chose no character is stored readable or answered', async () => {
  const { create, send } = await organization();
  const fields = { host: 'smtp.example.com', from_email: 'pager@example.com', username: 'pager' };
  const secrets = { password: 'first correct-horse' };
  const made = await create({ vendor: 'smtp', settings: fields, secrets });
  const path = `/channel-connections/${made.id}`;
  const stored = () => sql`select secrets from channel_connections where id = ${made.id}`;
  const checkHidden = async (shown: typeof made) => {
    assert.deepEqual(Object.keys(shown.secrets.password), ['set', 'set_at']);
    assert.doesNotMatch(JSON.stringify(await stored()), /orse|"ends"/);
  };
  await checkHidden(made);
  const { body } = await send(`PATCH ${path}`, { secrets: { password: 'second correct-horse' } });
  await checkHidden(body);
  // As a release before it stored one.
  await sql`
    update channel_connections set secrets =
      jsonb_set(secrets::jsonb, '{password,ends}', '"orse"')::json where id = ${made.id}`;
  const old = (await send(`GET ${path}`)).body;
  assert.deepEqual(Object.keys(old.secrets.password), ['set', 'set_at']);
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

test('a Slack app needs both its tokens, and each changes alone', async () => {
  const { create, send, organizationId } = await organization();
  const slackBot = `xoxb-12345678901-23456789012-${'Aa0'.repeat(8)}`;
  const app_token = 'xapp-1-A0123ABCD-3456789012345-0a1b2c3d4e5f';
  const app = { name: 'App', vendor: 'slack', secrets: { bot_token: slackBot } };
  const answer = await send('POST /channel-connections', app);
  assert.deepEqual(problemsOf(answer), ['secrets.app_token']);
  const made = await create({ ...app, secrets: { bot_token: slackBot, app_token } });
  const manifest = await send(`GET /channel-connections/${made.id}/manifest`);
  assert.deepEqual(manifest.body, slackManifest);
  const path = `PATCH /channel-connections/${made.id}`;
  assert.equal((await send(path, { secrets: { app_token: `${app_token}ab` } })).status, 200);
  const anew = slackBot.replace('Aa0', 'Zz9');
  assert.equal((await send(path, { secrets: { bot_token: anew } })).status, 200);
  const other = { bot_token: slackBot.replace('23456789012', '99956789012') };
  assert.deepEqual(problemsOf(await send(path, { secrets: other })), ['secrets.bot_token']);
  const twice = { ...app, secrets: { bot_token: slackBot, app_token } };
  assert.equal((await send('POST /channel-connections', twice)).status, 409);
  const called = { ...twice, secrets: { ...twice.secrets, signing_secret: '0a'.repeat(16) } };
  assert.deepEqual(problemsOf(await send('POST /channel-connections', called)), [
    'secrets.signing_secret',
  ]);
  const [open] = await openConnectionsOf({ sql, secrets: testSecrets }, organizationId, 'slack');
  assert.deepEqual(open?.secrets, { bot_token: anew, app_token: `${app_token}ab` });
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

test('one organization neither sees nor changes the connections of another', async () => {
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
  assert.deepEqual([again.status, problemsOf(again)], [409, ['secrets.bot_token']]);
  const path = `/channel-connections/${id}`;
  const moved = await send(`PATCH ${path}`, { secrets: tokenOf(7) });
  assert.deepEqual([moved.status, problemsOf(moved)], [422, ['secrets.bot_token']]);
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

test('a secret that is replaced verifies for a day, and is removed then', async () => {
  const { create, send } = await organization();
  const { id } = await create();
  const replaced = async (hours: number) => {
    const now = systemClock.now().add({ hours });
    const open = await openCalledConnection({ sql, secrets: testSecrets }, id, now);
    return open?.replacedSecrets;
  };
  assert.deepEqual(await replaced(0), {});
  const token = `${bot_token.split(':')[0]}:${'Z'.repeat(35)}`;
  const path = `/channel-connections/${id}`;
  const changed = await send(`PATCH ${path}`, { secrets: { bot_token: token } });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.doesNotMatch(JSON.stringify(changed.body), /replaced/);
  await send(`PATCH ${path}`, { name: 'Another name' });
  assert.deepEqual([await replaced(0), await replaced(25)], [{ bot_token }, {}]);
  const column = sealedColumnsOf([]).find(({ column }) => column === 'secrets');
  const [row] = await sql<{ secrets: unknown }[]>`
    select secrets from channel_connections where id = ${id}`;
  const seen: unknown[] = [];
  column?.mapValue?.(row?.secrets, (stored) => {
    seen.push(stored);
    return stored;
  });
  assert.equal(seen.length, 2, 'a new secret key seals both');
  const remove = (hours: number) => removeReplacedSecrets(sql, systemClock.now().add({ hours }));
  assert.equal(await remove(0), 0);
  assert.ok((await remove(25)) > 0);
  assert.equal(await remove(25), 0);
  assert.deepEqual(await replaced(0), {});
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
    noteCheck(sql, {
      organizationId,
      connectionId,
      now: now.add({ seconds }),
      reason,
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

test('what a vendor answered to other settings is forgotten, and a new name changes nothing of it', async () => {
  const { create, send, organizationId } = await organization();
  const settings = { host: 'smtp.example.com', from_email: 'pager@example.com' };
  const { id: connectionId } = await create({ vendor: 'smtp', secrets: {}, settings });
  const path = `/channel-connections/${connectionId}`;
  const state = async () => (await send(`GET ${path}`)).body.health.state;
  const note = { organizationId, connectionId, now: systemClock.now(), reason: 'it is down' };
  await noteCheck(sql, note);
  await send(`PATCH ${path}`, { name: 'Renamed', settings });
  assert.equal(await state(), 'failing');
  await send(`PATCH ${path}`, { settings: { port: 2525 } });
  assert.equal(await state(), 'unchecked');
});

test('a test calls the vendor, and sends to nobody but the caller', async () => {
  const { create, send } = await organization();
  const { id } = await create();
  const { body } = await send(`POST /channel-connections/${id}/test`, {});
  assert.deepEqual(body.checks, [{ name: 'credentials', ok: true, message: 'The bot answers.' }]);
  const [connection, to] = checked.at(-1) ?? [];
  assert.deepEqual([connection?.secrets, to], [{ bot_token }, null]);
  const contact_id = '0123456789abcdef01234567';
  const foreign = await send(`POST /channel-connections/${id}/test`, { contact_id });
  assert.deepEqual(problemsOf(foreign), ['contact_id']);
});

const account_sid = `AC${'0123456789abcdef'.repeat(2)}`;
const messaging_service_sid = `MG${'0123456789abcdef'.repeat(2)}`;
const api_key_sid = `SK${'0123456789abcdef'.repeat(2)}`;
const auth_token = 'fedcba9876543210'.repeat(2);
const settings = { account_sid, from_phone: '+4930123456', allowed_prefixes: ['+49'] };
const twilio = { name: 'Twilio', vendor: 'twilio', settings, secrets: { auth_token } };
const defaults = { calls_per_second: 1, messages_per_second: 1, sms_actions: 'all' };

test('settings are shown, have their defaults, and decide which channels are served', async () => {
  const { create, send, organizationId } = await organization();
  const made = await create(twilio);
  assert.deepEqual(made.settings, { ...settings, ...defaults });
  assert.deepEqual(made.channels, ['phone']);
  const path = `/channel-connections/${made.id}`;
  const both = await send(`PATCH ${path}`, { settings: { from_sms: 'Pager' } });
  assert.deepEqual(both.body.settings, { ...settings, ...defaults, from_sms: 'Pager' });
  assert.deepEqual(both.body.channels, ['phone', 'sms']);
  const change = { from_phone: null, from_sms: null, messaging_service_sid };
  const sms = await send(`PATCH ${path}`, { settings: change });
  assert.deepEqual(sms.body.channels, ['sms']);
  assert.deepEqual([...(await usableChannels(sql, new Map(), organizationId))], ['sms']);
  const cache = new ConfigurationCache(new Set(), noFaults);
  const read = await transact(sql, (tx) => cache.read(tx, [organizationId], systemClock.now()));
  assert.deepEqual([...(read.get(organizationId)?.channels ?? [])], ['sms']);
  const [open] = await openConnectionsOf({ sql, secrets: testSecrets }, organizationId, 'twilio');
  const { from_phone: _, ...others } = settings;
  assert.deepEqual(open?.settings, { ...others, ...defaults, messaging_service_sid });
  const written = await send(`PUT ${path}`, sms.body);
  assert.deepEqual([written.status, written.body.settings], [200, sms.body.settings]);
});

test('settings that were stored before a field was declared have its default', async () => {
  const { create, organizationId } = await organization();
  const { id } = await create(twilio);
  await sql`update channel_connections set settings = ${sql.json({ ...settings, newer: 1 })}
    where id = ${id}`;
  const [open] = await openConnectionsOf({ sql, secrets: testSecrets }, organizationId, 'twilio');
  assert.deepEqual(open?.settings, { ...settings, ...defaults });
});

test('settings and secrets are held to the rules that their vendor declares of them', async () => {
  const { create, send } = await organization();
  const refused = async (body: object) =>
    problemsOf(await send('POST /channel-connections', { ...twilio, ...body }));
  const { account_sid: _, ...others } = settings;
  assert.deepEqual(await refused({ settings: null }), [
    ...['settings.account_sid', 'settings.allowed_prefixes'],
  ]);
  assert.deepEqual(await refused({ settings: others }), ['settings.account_sid']);
  const wrong = { ...settings, allowed_prefixes: ['+49', '+881', '49'], from_phone: '030 1' };
  assert.deepEqual(await refused({ settings: wrong }), [
    ...['settings.from_phone', 'settings.allowed_prefixes[1]', 'settings.allowed_prefixes[2]'],
  ]);
  assert.deepEqual(await refused({ settings: { ...settings, from_phone: null } }), [
    'settings.from_phone',
  ]);
  const senders = { ...settings, from_sms: '+4930123456', messaging_service_sid };
  assert.deepEqual(await refused({ settings: senders }), ['settings.messaging_service_sid']);
  assert.deepEqual(await refused({ secrets: {} }), ['secrets.auth_token']);
  assert.deepEqual(await refused({ secrets: { auth_token, api_key_sid } }), [
    'secrets.api_key_secret',
  ]);
  const { id } = await create(twilio);
  assert.deepEqual(problemsOf(await send('POST /channel-connections', twilio)), [
    'settings.account_sid',
  ]);
  const other = { settings: { account_sid: account_sid.replace('0', '1') } };
  const moved = await send(`PATCH /channel-connections/${id}`, other);
  assert.deepEqual([moved.status, problemsOf(moved)], [422, ['settings.account_sid']]);
});

test('a secret that is not needed is removed by null, one that is needed stays', async () => {
  const { create, send, organizationId } = await organization();
  const key = { api_key_sid, api_key_secret: 'a'.repeat(32) };
  const { id } = await create({ ...twilio, secrets: { auth_token, ...key } });
  const path = `/channel-connections/${id}`;
  const half = await send(`PATCH ${path}`, { secrets: { api_key_secret: null } });
  assert.deepEqual([half.status, problemsOf(half)], [422, ['secrets.api_key_secret']]);
  const secrets = { auth_token: null, api_key_sid: null, api_key_secret: null };
  const { body } = await send(`PATCH ${path}`, { secrets });
  assert.deepEqual(Object.keys(body.secrets), ['auth_token']);
  const [open] = await openConnectionsOf({ sql, secrets: testSecrets }, organizationId, 'twilio');
  assert.deepEqual(open?.secrets, { auth_token });
});

test('a connection tells how its vendor is heard, and where it calls', async () => {
  const { create, send } = await organization();
  const heard = async (id: string) => {
    const { body } = await send(`GET /channel-connections/${id}`);
    return [body.receive, body.callback_urls];
  };
  const { id: botId } = await create();
  assert.deepEqual(await heard(botId), ['poll', []]);
  const { id } = await create({
    name: 'Numbers',
    vendor: 'twilio',
    secrets: { auth_token: 'a'.repeat(32) },
    settings: {
      account_sid: `AC${'1'.repeat(32)}`,
      allowed_prefixes: ['+49'],
      from_sms: '+4930123456',
    },
  });
  const url = `https://pager.example.com/callbacks/sms/${id}`;
  assert.deepEqual(await heard(id), ['callbacks', [{ channel: 'sms', url }]]);
  const { body: listed } = await send('GET /channel-connections');
  const { receive, callback_urls } = listed.data.find((one: { id: string }) => one.id === id);
  assert.deepEqual([receive, callback_urls], ['callbacks', [{ channel: 'sms', url }]]);
  address.url = null;
  assert.deepEqual(await heard(id), ['poll', []], 'without a public address');
  assert.match((await send(`GET /channel-connections/${id}`)).body.callback_warning, /read out/);
  address.url = 'https://pager.example.com';
  const { body: read } = await send(`GET /channel-connections/${id}`);
  assert.equal((await send(`PUT /channel-connections/${id}`, read)).status, 200);
});
