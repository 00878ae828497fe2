// A server is killed while whoever takes its notices keeps it waiting for the answer.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { silentLog } from '../../src/engine/log.ts';
import { openDatabase, type Sql } from '../../src/storage/database/database.ts';
import { testDatabase } from '../database.ts';
import { skipped } from '../skipped.ts';
import { startFakeTelegram } from '../vendors/telegram.ts';
import { startFakeTwilio } from '../vendors/twilio.ts';
import { type Api, postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { startInProcess } from './in-process.ts';
import { startMailServer } from './notice-servers.ts';
import { bundledUrl, createInstallation, mailTo, type Settings } from './server-process.ts';
import { systemPostgres } from './system-postgres.ts';

const postgres = await systemPostgres();
const skip =
  process.platform !== 'linux' && skipped('a killed sender', 'only Linux tells its boot');
/** Longer than anything here takes. */
const ANSWER_MILLISECONDS = 25_000;

describe('what a killed server was sending arrives again once it is back', { skip }, () => {
  test('on the bundled database', () => arrivesAgain({}));

  test('on a given database', async () => {
    await using database = await testDatabase({ server: postgres, migrations: 'none' });
    await arrivesAgain({ PAGER_DATABASE_URL: database.url });
  });
});

/** Under the same key, and without waiting as long as a lease takes. */
async function arrivesAgain(settings: Settings): Promise<void> {
  await using mail = await startMailServer(0, ANSWER_MILLISECONDS);
  await using installation = await createInstallation({ ...mailTo(mail), ...settings });
  const server = await installation.start();
  const [{ webhook_url }] = await server.api.list('integrations');
  const { status } = await postJson(webhook_url, { title: 'disk full' });
  assert.equal(status, 202);
  const page = await mail.arrival('the page', ({ subject }) => subject.includes('disk full'));
  await prolongLeases(settings['PAGER_DATABASE_URL'] ?? bundledUrl(installation.dataDir));
  await server.kill();
  const again = await installation.start();
  await eventually('the page arrives again', () => {
    return mail.mails.filter(({ notice }) => notice === page.notice).length > 1;
  });
  assert.match(again.output(), /due at once/);
  const { code, output } = await installation.audit();
  assert.equal(code, 0, output);
}

/** A machine that is busy may start a server only once the leases of the one before are over. */
async function prolongLeases(url: string): Promise<void> {
  await using database = await openDatabase({ url, log: silentLog });
  const { count } = await database.sql`
    update outbox set wake_at = wake_at + interval '1 hour' where state = 'pending' and attempts > 0`;
  assert.equal(count, 1);
}

const number = '+4915112345678';
const chat = '4711';

const callOwner = (api: Api, sql: Sql) => pageOwner(api, sql, { via: 'phone', address: number });

type Contact = { readonly via: string; readonly address: string };

/** The only policy pages the owner there. */
async function pageOwner(api: Api, sql: Sql, { via, address }: Contact): Promise<void> {
  const [user] = await api.list('users');
  await sql`
    insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
    select organization_id, ${'b'.repeat(24)}, id, ${via}, ${address}, now(), now()
    from users where id = ${user.id}`;
  const [policy] = await api.list('escalation-policies');
  const targets = [{ via, user_id: user.id }];
  await api.send(`PATCH /escalation-policies/${policy.id}`, { steps: [{ targets }] });
}

test('a call that Twilio took before the server was killed is not made again', {
  skip,
}, async () => {
  await using twilio = await startFakeTwilio();
  await using database = await testDatabase({ server: postgres, migrations: 'none' });
  await using installation = await createInstallation({
    PAGER_DATABASE_URL: database.url,
    PAGER_VENDOR_URLS: `twilio=${twilio.url}`,
  });
  const server = await installation.start();
  const { api } = server;
  await api.create('channel-connections', {
    name: 'Twilio',
    vendor: 'twilio',
    secrets: { auth_token: twilio.authToken },
    settings: {
      account_sid: twilio.account.sid,
      from_phone: twilio.number,
      allowed_prefixes: ['+49'],
    },
  });
  await callOwner(api, database.sql);
  twilio.misbehave('POST /Calls.json', { type: 'done_but_hangs' });
  const [{ webhook_url }] = await api.list('integrations');
  await postJson(webhook_url, { title: 'disk full' });
  const call = await eventually('the call', () => twilio.calls[0]);
  await server.kill();
  await twilio.ring(call.sid);
  await installation.start();
  const taken = () => database.sql`select from attempts where vendor_id = ${call.sid}`;
  await eventually('the call is found again', async () => (await taken()).length > 0);
  assert.equal(twilio.calls.length, 1);
  const { code, output } = await installation.audit();
  assert.equal(code, 0, output);
});

test('each kill leaves at most one more copy of a page in Telegram, which a press has follow its incident', {
  skip,
}, async () => {
  await using telegram = await startFakeTelegram();
  await using database = await testDatabase({ server: postgres, migrations: 'none' });
  await using installation = await createInstallation({
    PAGER_DATABASE_URL: database.url,
    PAGER_VENDOR_URLS: `telegram=${telegram.url}`,
  });
  let server = await installation.start();
  await server.api.create('channel-connections', {
    name: 'Bot',
    vendor: 'telegram',
    secrets: { bot_token: telegram.token },
  });
  telegram.start(chat);
  await pageOwner(server.api, database.sql, { via: 'telegram', address: chat });
  // Telegram's next behavior is set between the two servers, or the first one might meet it.
  const again = async (before = () => {}) => {
    await server.kill();
    before();
    server = await installation.start();
  };
  const pages = () => telegram.messages.filter(({ text }) => text.includes('disk full'));
  const sent = () => telegram.calls.filter(({ method }) => method === 'sendMessage').length;
  const isSent = (times: number) => eventually(`sent ${times} times`, () => sent() >= times);
  await isSent(1); // The answer to whoever started the bot.
  const before = sent();

  telegram.misbehave('sendMessage', { type: 'hang' });
  const [{ webhook_url }] = await server.api.list('integrations');
  await postJson(webhook_url, { title: 'disk full' });
  await isSent(before + 1);
  assert.equal(pages().length, 0);
  for (const copies of [1, 2]) {
    await again(() => telegram.misbehave('sendMessage', { type: 'done_but_hangs' }));
    await eventually(`${copies} copies`, () => pages().length === copies);
  }
  await again();
  const taken = () => database.sql`select from attempts where outcome = 'delivered'`;
  await eventually('an answer is recorded', async () => (await taken()).length === 1);
  const [orphan, , known] = pages();
  assert.ok(orphan && known);
  assert.equal(sent(), before + 4, 'one request for each server');

  const [incident] = await server.api.list('incidents');
  const { status } = await server.api.send(`POST /incidents/${incident.id}/acknowledge`, {});
  assert.equal(status, 200);
  const follows = (text: string) => text.startsWith('Acknowledged by ');
  await eventually('the page follows its incident', () => follows(known.text));
  telegram.press(orphan.messageId, 'Acknowledge');
  // The lease of the killed server on what people press would be over only after 90 seconds.
  await eventually('a copy follows it from a press on', () => follows(orphan.text), 60_000);
  assert.deepEqual([pages().length, sent()], [3, before + 4]);
  const { code, output } = await installation.audit();
  assert.equal(code, 0, output);
});

test('a call of another notice is not taken for one that was not made', async () => {
  // Twilio’s clock is ahead, so that its call counts as made just now.
  await using twilio = await startFakeTwilio(() => Temporal.Now.instant().add({ minutes: 1 }));
  await using database = await testDatabase({ server: postgres });
  const settings = {
    PAGER_VENDOR_URLS: `twilio=${twilio.url}`,
    PAGER_SECRET_KEY: 'ab'.repeat(32),
  };
  let webhook = '';
  {
    await using pager = await startInProcess(database, settings);
    const { api } = pager;
    await api.create('channel-connections', {
      name: 'Twilio',
      vendor: 'twilio',
      secrets: { auth_token: twilio.authToken },
      settings: {
        account_sid: twilio.account.sid,
        from_phone: twilio.number,
        allowed_prefixes: ['+49'],
        calls_per_second: 10,
      },
    });
    await callOwner(api, database.sql);
    const [{ webhook_url }] = await api.list('integrations');
    webhook = new URL(webhook_url).pathname;
    await postJson(webhook_url, { title: 'Disk full' });
    const call = await eventually('the call', () => twilio.calls[0]);
    const phone = await twilio.answer(call.sid);
    assert.equal(await phone.press('4'), true);
    await phone.listen();
  }
  // A server that does not know what the one before it has sent.
  await using pager = await startInProcess(database, settings);
  twilio.misbehave('POST /Calls.json', { type: 'broken' });
  await postJson(`${pager.url}${webhook}`, { title: 'Memory full' });
  await eventually('its own call', () => twilio.calls.length === 2);
  const taken = () => database.sql`
    select from attempts where vendor_id = ${twilio.calls[0]?.sid ?? ''}`;
  await eventually('it is recorded', async () => (await taken()).length === 1);
});
