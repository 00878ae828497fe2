// What surrounds the server fails: its database, the mail server, a chat, the disk, the operator.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog } from '../../src/engine/log.ts';
import { startBundledPostgres } from '../../src/storage/bundled/postgres-server.ts';
import { openDatabase, splitHost } from '../../src/storage/database/database.ts';
import { testDatabase } from '../database.ts';
import { type SentCallback, startFakeTwilio } from '../vendors/twilio.ts';
import { postJson, request } from './api-client.ts';
import { seedChatAndMail } from './chat-and-mail.ts';
import { startLossyHost } from './database-relay.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { startChatServer, startMailServer } from './notice-servers.ts';
import { createInstallation, killIfThere, mailTo, type ServerProcess } from './server-process.ts';
import { systemPostgres } from './system-postgres.ts';

const postgres = await systemPostgres();
const loopback = { PAGER_ALLOW_NETWORKS: '127.0.0.0/8' };

test('without its database a server refuses and says so, and goes on by itself', async () => {
  await using cluster = await startCluster();
  await using mail = await startMailServer(await freePort());
  const settings = { ...mailTo(mail), PAGER_DATABASE_URL: cluster.url };
  await using installation = await createInstallation(settings);
  const server = await installation.start();
  const hook = await hookOf(server);
  const trigger = (title: string) => postJson(hook, { title });
  assert.equal((await trigger('before')).status, 202);
  await mail.arrival('the first page', ({ subject }) => subject.includes('before'));

  // Its mail server is away too; after three tries the next is some seconds off.
  await mail[Symbol.asyncDispose]();
  const owed = await trigger('owed');
  const path = `incidents/${owed.body.alerts[0].incident}/timeline`;
  await eventually('the page was tried three times', async () => {
    const timeline = await server.api.list(path);
    return timeline.filter(({ type }) => type === 'notice_retry').length === 3;
  });
  await cluster.stop();
  await eventually('it says that it is not ready', async () => {
    const { status } = await request(`${server.url}/readyz`);
    return status === 503;
  });
  for (let time = 0; time < 3; time += 1) {
    for (const answer of [await trigger('meanwhile'), await server.api.send('GET /incidents')]) {
      assert.equal(answer.status, 503, JSON.stringify(answer.body));
      assert.equal(answer.body.error, 'unavailable');
    }
    assert.equal((await request(`${server.url}/healthz`)).status, 200);
  }

  await using mailAgain = await startMailServer(mail.port);
  await cluster.start();
  await mailAgain.arrival('the page that was due', ({ subject }) => subject.includes('owed'));
  assert.equal((await request(`${server.url}/readyz`)).status, 200);
  assert.equal((await trigger('after')).status, 202);
  await mailAgain.arrival('a page as before', ({ subject }) => subject.includes('after'));
  const titles = (await server.api.list('incidents')).map(({ title }) => title).sort();
  assert.deepEqual(titles, ['after', 'before', 'owed'], 'what was refused left nothing');
  assert.equal(await server.stop(), 0);
  const { code, output } = await installation.audit();
  assert.equal(code, 0, output);
});

test('without its database no door says that something failed on our side', async () => {
  await using cluster = await startCluster();
  await using installation = await createInstallation({ PAGER_DATABASE_URL: cluster.url });
  const server = await installation.start();
  const { PAGER_BOOTSTRAP_EMAIL: email, PAGER_BOOTSTRAP_PASSWORD: password } =
    installation.settings;
  const signIn = () => postJson(`${server.url}/auth/sign-in`, { email, password });
  assert.equal((await signIn()).status, 200);
  const cookie = await cookieOf(server.url, { email, password });
  const id = '0'.repeat(24);
  const paths = await pathsOf(server.url);
  await cluster.stop();

  const requests = [
    ...['/', '/sign-in', '/auth/session'].map(async (path) => [
      path,
      (await request(server.url + path, { headers: { cookie } })).status,
    ]),
    ...paths.map(async (path) => {
      const { status } = await server.api.send(`GET ${path.replaceAll(/\{\w+\}/g, id)}`);
      return [path, status];
    }),
    signIn().then(({ status }) => ['sign in', status]),
    signOut(server.url, cookie).then((status) => ['sign out', status]),
  ];
  const answers = await Promise.all(requests);
  assert.ok(paths.length > 30, `${paths.length} paths`);
  assert.deepEqual(
    answers.filter(([, status]) => status !== 503),
    [],
  );
});

test('without its database a server has a vendor send its callbacks again', async () => {
  await using twilio = await startFakeTwilio();
  await using cluster = await startCluster();
  await using installation = await createInstallation({
    PAGER_DATABASE_URL: cluster.url,
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
  const [user] = await api.list('users');
  {
    const log = silentLog;
    await using database = await openDatabase({ url: cluster.url, log, maxConnections: 1 });
    await database.sql`
      insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
      select organization_id, ${'b'.repeat(24)}, id, 'phone', '+4915112345678', now(), now()
      from users where id = ${user.id}`;
  }
  const [policy] = await api.list('escalation-policies');
  const targets = [{ via: 'phone', user_id: user.id }];
  await api.send(`PATCH /escalation-policies/${policy.id}`, { steps: [{ targets }] });
  await postJson(await hookOf(server), { title: 'disk full' });
  const { sid } = await eventually('the call', () => twilio.calls[0]);
  await twilio.ring(sid);
  const phone = await twilio.answer(sid);

  await cluster.stop();
  assert.equal(await phone.press('4'), true);
  await phone.hangUp();
  const [pressed, ended] = twilio.callbacks.slice(-2);
  assert.ok(pressed && ended);
  assert.deepEqual([pressed.fields['Digits'], pressed.status], ['4', 503]);
  assert.deepEqual([ended.fields['CallStatus'], ended.status], ['completed', 503]);
  const forged = await twilio.forge(pressed.url, pressed.fields);
  assert.equal(forged.status, 503, 'who has signed it cannot be read');

  await cluster.start();
  const again = async ({ url, fields, signature }: SentCallback) => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': signature,
    };
    const body = new URLSearchParams(fields).toString();
    return request(url, { method: 'POST', headers, body });
  };
  await eventually('it is ready', async () => {
    return (await request(`${server.url}/readyz`)).status === 200;
  });
  assert.equal((await again(pressed)).status, 200);
  assert.equal((await again(ended)).status, 200);
  const [incident] = await api.list('incidents');
  assert.equal(incident.status, 'acknowledged');
});

test('mail waits for its server, and log, timeline and metrics say why', async () => {
  await using database = await emptyDatabase();
  const mail = { port: await freePort() };
  await using installation = await createInstallation({
    ...mailTo(mail),
    PAGER_DATABASE_URL: database.url,
  });
  const server = await installation.start();
  const { body } = await postJson(await hookOf(server), { title: 'nobody takes the mail' });
  const [{ incident: number }] = body.alerts;
  await eventually('the timeline says that the page is tried again', async () => {
    const timeline = await server.api.list(`incidents/${number}/timeline`);
    return timeline.some(
      ({ type, text }) => type === 'notice_retry' && /nothing listens at the address/.test(text),
    );
  });
  await eventually('the log says so too', () => /could not be sent/.test(server.output()));
  const metrics = await request(`${server.url}/metrics`);
  assert.match(metrics.body, /pager_notices_total\{[^}]*channel="email",outcome="pending"\} [1-9]/);

  await using back = await startMailServer(mail.port);
  await back.arrival('the page', ({ subject }) => subject.includes('nobody takes the mail'));
  await eventually('the timeline says that it was sent', async () => {
    const timeline = await server.api.list(`incidents/${number}/timeline`);
    return timeline.some(({ type }) => type === 'notice_sent');
  });
  assert.equal(await server.stop(), 0);
});

test('a chat that never answers does not delay the mail to others', async () => {
  await using database = await emptyDatabase();
  await using mail = await startMailServer();
  await using dead = await startChatServer('silent');
  await using installation = await createInstallation({
    ...mailTo(mail),
    ...loopback,
    PAGER_DATABASE_URL: database.url,
  });
  const server = await installation.start();
  const hook = await seedChatAndMail(server, dead.url);
  const incidents = 20;
  for (let n = 0; n < incidents; n += 1) await postJson(hook, { title: `alert ${n}` });
  await eventually('the chat is tried', () => dead.messages.length > 0);
  await eventually('every mail is here', () => mail.mails.length === incidents);
  assert.ok(dead.messages.length < incidents, 'each try of the chat takes its whole time');
});

test('nothing that is secret is ever logged, nor shown at a second start', async () => {
  await using mail = await startMailServer();
  await using chat = await startChatServer('answers');
  await using installation = await createInstallation({
    ...mailTo(mail),
    ...loopback,
    PAGER_SMTP_URL: `smtp://someone:smtp-password-1@127.0.0.1:${mail.port}`,
    PAGER_LOG_LEVEL: 'trace',
  });
  const server = await installation.start();
  const hook = await seedChatAndMail(server, chat.url);
  const [, token = ''] = /hooks\/([0-9a-f]{40})/.exec(hook) ?? [];
  const password = installation.settings['PAGER_BOOTSTRAP_PASSWORD'] ?? '';
  await postJson(`${server.url}/auth/sign-in`, { email: 'owner@example.test', password });
  await postJson(`${server.url}/auth/sign-in`, { email: 'owner@example.test', password: 'x' });
  await postJson(hook, { title: 'a story' });
  await request(hook, { method: 'POST', body: '{' });
  await server.api.send('POST /escalation-policies', { steps: chat.url });
  await eventually('the chat is told', () => chat.messages.length > 0);
  await server.api.send(`POST /incidents/1/resolve`);
  assert.equal(await server.stop(), 0);
  const again = await installation.start();
  const [first] = /hooks\/[0-9a-f]{40}/.exec(server.output()) ?? [];
  const firstToken = first?.slice(-40) ?? '';
  assert.notEqual(firstToken, '', 'the first start shows its hook');
  assert.equal(again.output().includes(firstToken), false, 'a second start shows no hook');
  assert.equal(await again.stop(), 0);
  const logged = [server, again]
    .flatMap(({ output }) => output().split('\n'))
    .filter((line) => line.startsWith('{'))
    .join('\n');
  assert.match(logged, /Pager is ready/);
  const secrets = {
    token,
    firstToken,
    password,
    apiKey: server.apiKey,
    chat: 'chat-webhook-secret',
    smtp: 'smtp-password-1',
  };
  for (const [name, secret] of Object.entries(secrets)) {
    const at = logged.indexOf(secret);
    assert.equal(at, -1, `${name}: ${logged.slice(Math.max(0, at - 300), at + 100)}`);
  }
});

test('another secret key refuses to start', async () => {
  await using database = await emptyDatabase();
  const settings = { PAGER_DATABASE_URL: database.url };
  await using installation = await createInstallation(settings);
  const server = await installation.start();
  assert.equal(await server.stop(), 0);
  const other = installation.launch({ PAGER_SECRET_KEY: randomBytes(32).toString('hex') });
  assert.equal(await other.ended, 1);
  assert.match(other.output(), /secret key/i);
});

test('a database that is not there ends a command with what is wrong', async () => {
  await using installation = await createInstallation({
    PAGER_DATABASE_URL: `postgres://pager:hunter2@127.0.0.1:${await freePort()}/pager`,
  });
  const { ended, output } = installation.launch({}, 'migrate');
  assert.equal(await ended, 1);
  assert.match(output(), /^\{"level":60,[^\n]*the database is unavailable[^\n]*\n$/);
  assert.doesNotMatch(output(), /hunter2/);
});

test('a server waits for a database that is not there yet, and says so', async () => {
  await using database = await emptyDatabase();
  const port = await freePort();
  const PAGER_DATABASE_URL = `postgres://pager:hunter2@127.0.0.1:${port}/pager`;
  await using installation = await createInstallation({ PAGER_DATABASE_URL });
  const url = `http://${installation.settings['PAGER_LISTEN']}`;
  const early = installation.launch();
  await eventually('it answers', () => answers(`${url}/healthz`, 200));
  for (const path of ['/readyz', '/hooks/unknown/webhook']) {
    const answer = await fetch(`${url}${path}`);
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '5'], path);
  }
  assert.equal(await answers(`${url}/readyz`, 503), true);
  const lines = early.output().match(/the database is unavailable[^"]*/g);
  assert.deepEqual(
    lines?.map((line) => /waits for it/.test(line)),
    [true],
  );
  assert.doesNotMatch(early.output(), /hunter2/);
  killIfThere(early.pid, 'SIGTERM');
  assert.equal(await early.ended, 0);

  const ours = new URL(splitHost(database.url).url);
  ours.host = `127.0.0.1:${port}`;
  const waiting = installation.launch({ PAGER_DATABASE_URL: ours.href });
  await eventually('it waits', () => answers(`${url}/readyz`, 503));
  await using _host = await startLossyHost(database.url, port);
  await eventually('it starts', () => answers(`${url}/readyz`, 200));
  killIfThere(waiting.pid, 'SIGTERM');
  assert.equal(await waiting.ended, 0);
});

test('a database that refuses the server ends its start', async () => {
  await using database = await emptyDatabase();
  const url = new URL(database.url);
  url.pathname = '/there-is-none';
  await using installation = await createInstallation({ PAGER_DATABASE_URL: url.href });
  const { ended, output } = installation.launch();
  assert.equal(await ended, 1);
  assert.match(output(), /database \\"there-is-none\\" does not exist/);
});

const answers = (url: string, status: number) =>
  fetch(url).then(
    (answer) => answer.status === status,
    () => false,
  );

test('every mistake of a configuration is told at once, and nothing starts', async () => {
  await using installation = await createInstallation();
  const wrong = installation.launch({
    PAGER_LISTEN: 'everywhere',
    PAGER_DATABASE_URL: 'mysql://root:hunter2@db/pager',
    PAGER_ALLOW_NETWORKS: '10.0.0.0',
    PAGER_LOG_LEVEL: 'loud',
    PAGER_SECRET_KEY: 'short',
    PAGER_LISTENS: 'x',
  });
  assert.equal(await wrong.ended, 1);
  const output = wrong.output();
  for (const name of ['LISTEN', 'DATABASE_URL', 'ALLOW_NETWORKS', 'LOG_LEVEL', 'SECRET_KEY'])
    assert.match(output, new RegExp(`- PAGER_${name} `));
  assert.match(output, /- PAGER_LISTENS is not a Pager setting/);
  assert.doesNotMatch(output, /hunter2/);
});

async function emptyDatabase() {
  return testDatabase({ server: postgres, migrations: 'none' });
}

/** A PostgreSQL of its own, which can be away for a while. */
async function startCluster() {
  const dataDir = await mkdtemp(join(tmpdir(), 'pager-cluster-'));
  const begin = () => startBundledPostgres({ dataDir, log: silentLog, settings: { fsync: 'off' } });
  let running = await begin();
  return {
    url: running.url,
    stop: () => running[Symbol.asyncDispose](),
    async start() {
      running = await begin();
    },
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function cookieOf(url: string, body: unknown): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const { headers: answered } = await fetch(`${url}/auth/sign-in`, init);
  return answered
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
}

async function signOut(url: string, cookie: string): Promise<number> {
  const headers = { cookie, origin: url, 'content-type': 'application/json' };
  const { status } = await request(`${url}/auth/sign-out`, { method: 'POST', headers, body: '{}' });
  return status;
}

/** Of all that can be read by the API. */
async function pathsOf(url: string): Promise<string[]> {
  const { body } = await request(`${url}/openapi.json`);
  const paths: [string, object][] = Object.entries(body.paths);
  return (
    paths
      .filter(([, methods]) => 'get' in methods)
      // An answer without an end.
      .filter(([path]) => !path.endsWith('/stream'))
      .map(([path]) => path.replace('/api/v1', ''))
  );
}

async function hookOf({ api }: ServerProcess): Promise<string> {
  const [integration] = await api.list('integrations');
  return integration.webhook_url;
}
