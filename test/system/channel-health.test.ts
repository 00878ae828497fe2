// Mail servers and push services that refuse this server: what is shown before and after the first page, who
// is notified and how, and what others see of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { selfSigned } from '../../src/terraform/protocol/certificate.ts';
import { anyDatabase, testDatabase } from '../database.ts';
import { type PushService, startPushService, type TestBrowser } from '../push-service.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { type InProcess, startInProcess } from './in-process.ts';
import { startMailServer } from './notice-servers.ts';
import { seedOutsider } from './tenants.ts';

const secretKey = 'k'.repeat(40);
const from = { PAGER_MAIL_FROM: 'Pager <pager@example.test>' };

/** A mail server; answers its port, and to whom it was sent. */
async function startSmtp(stack: AsyncDisposableStack, options: SMTPServerOptions) {
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 50,
    disableReverseLookup: true,
    onData: (stream, session, done) => {
      received.push(...session.envelope.rcptTo.map(({ address }) => address));
      stream.resume().once('end', () => done());
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  stack.defer(() => new Promise<void>((closed) => server.close(closed)));
  const address = server.server.address();
  assert.ok(address && typeof address === 'object');
  return { port: address.port, received };
}

const healthOf = async ({ api }: Pick<InProcess, 'api'>, channel: string) => {
  const { body } = await api.send('GET /channels');
  return body.data.find((one: { channel: string }) => one.channel === channel).health;
};

const facts = async ({ api }: InProcess) => {
  const { body } = await api.send('GET /attention');
  return body.data.filter(({ type }: { type: string }) => type === 'channel_failing');
};

const metric = async (pager: InProcess, line: string) => {
  const text = await (await fetch(`${pager.url}/metrics`)).text();
  return text.split('\n').includes(line);
};

/** A device of the owner that takes pushes. */
async function addDevice({ api, sql }: InProcess, service: PushService): Promise<TestBrowser> {
  const [owner] = await api.list('users');
  const browser = service.browser((await api.send('GET /push/key')).body.public_key);
  const { id } = await api.create(`users/${owner.id}/contacts`, {
    channel: 'push-notification',
    address: `web:${JSON.stringify(browser.subscription)}`,
  });
  await sql`update contacts set verified_at = now() where id = ${id}`;
  return browser;
}

/** Pages the owner by that channel alone. */
async function openBy({ api }: InProcess, via: string): Promise<void> {
  const [owner] = await api.list('users');
  const [integration] = await api.list('integrations');
  const [policy] = await api.list('escalation-policies');
  const steps = [{ targets: [{ via, user_id: owner.id }] }];
  const saved = await api.send(`PATCH /escalation-policies/${policy.id}`, { steps });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  await postJson(integration.webhook_url, { title: `by ${via}` });
}

test('a certificate that is not trusted is known before the first page, and admins are notified by push', async () => {
  await using stack = new AsyncDisposableStack();
  const { key, pem } = selfSigned(Date.now());
  const trusted = getCACertificates();
  const smtp = await startSmtp(stack, { secure: true, key, cert: pem });
  const service = stack.use(await startPushService(() => Temporal.Now.instant().add(passed)));
  let passed = Temporal.Duration.from({ minutes: 0 });
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      PAGER_SMTP_URL: `smtps://localhost:${smtp.port}`,
      ...from,
      PAGER_ALLOW_NETWORKS: '127.0.0.0/8',
    }),
  );
  const pass = async (minutes: number) => {
    await pager.pass({ minutes });
    passed = passed.add({ minutes });
  };
  const health = () => healthOf(pager, 'email');
  await eventually('it is known', async () => (await health()).state === 'failing');
  assert.match(
    (await health()).reason,
    /^the certificate of the mail server is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\): use a cert/,
  );
  const { failing_since: since, reason } = await health();
  const fact = { type: 'channel_failing', channel: 'email', reason, since };
  assert.deepEqual(await facts(pager), [fact]);
  await eventually('the metric has it', () =>
    metric(pager, 'pager_channels_failing{channel="email"} 1'),
  );

  const browser = await addDevice(pager, service);
  await pass(10);
  await eventually('the owner is notified by push', () =>
    browser.received.some(
      ({ content: { title, body, path } }) =>
        /A channel is failing/.test(`${title} ${body}`) && path === '/settings/channels',
    ),
  );
  const byMail = await pager.sql`
    select from outbox where kind = 'channel_failing' and channel = 'email'`;
  assert.equal(byMail.length, 0, 'a mail would wait for what it reports');
  await pass(3);
  assert.equal(browser.received.length, 1, 'once a day');

  setDefaultCACertificates([...trusted, pem]);
  await eventually('the next check finds that it is mended', async () => {
    await pager.sql`update channel_checks set check_at = '-infinity'`;
    return (await health()).state === 'ok';
  });
  assert.deepEqual(await facts(pager), []);
  await eventually('the metric has it', () =>
    metric(pager, 'pager_channels_failing{channel="email"} 0'),
  );
  assert.deepEqual([smtp.received, service.complaints], [[], []], 'a check sends no mail');
});

test('a sign-in that is refused is shown to all organizations until a server starts with the right one', async () => {
  await using stack = new AsyncDisposableStack();
  const smtp = await startSmtp(stack, {
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) =>
      password === 'right'
        ? done(null, { user: 'pager' })
        : done(Object.assign(new Error('5.7.8 wrong'), { responseCode: 535 })),
  });
  const database = stack.use(await testDatabase({ server: await anyDatabase() }));
  const settings = (password: string) => ({
    PAGER_SECRET_KEY: secretKey,
    ...from,
    PAGER_SMTP_URL: `smtp://pager:${password}@127.0.0.1:${smtp.port}`,
  });
  const first = await startInProcess(database, settings('wrong'));
  stack.use(first);
  await eventually('it is known', async () => (await healthOf(first, 'email')).state === 'failing');
  const outsider = await seedOutsider(first, secretKey);
  for (const reader of [first, outsider])
    assert.match(
      (await healthOf(reader, 'email')).reason,
      /refused the sign-in with 535: correct the user and the password in PAGER_SMTP_URL/,
    );
  await openBy(first, 'email');
  await first.calm();
  await first.pass({ minutes: 11 });
  await eventually('for each organization it is noted that nobody can be notified', async () => {
    const rows = await first.sql`select from channel_notices where channel = 'email'`;
    return rows.length === 2;
  });
  // What it still tries with the wrong password would otherwise end after the second has begun.
  await first.calm();
  const second = stack.use(await startInProcess(database, settings('right')));
  await eventually('it works', async () => (await healthOf(second, 'email')).state === 'ok');
  await second.pass({ minutes: 12 });
  await eventually('what waited arrives', () => smtp.received.includes('owner@example.test'));
});

test('a push service that refuses this server is known by one page, and its admins are notified by e-mail', async () => {
  await using stack = new AsyncDisposableStack();
  const mail = stack.use(await startMailServer());
  let passed = Temporal.Duration.from({ minutes: 0 });
  const service = stack.use(await startPushService(() => Temporal.Now.instant().add(passed)));
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      PAGER_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      ...from,
      PAGER_SECRET_KEY: secretKey,
      PAGER_ALLOW_NETWORKS: '127.0.0.0/8',
    }),
  );
  const pass = async (minutes: number) => {
    await pager.pass({ minutes });
    passed = passed.add({ minutes });
  };
  const outsider = await seedOutsider(pager, secretKey);
  const browser = await addDevice(pager, service);
  browser.answer = { status: 403 };
  const { host } = new URL(service.origin);
  assert.equal((await healthOf(pager, 'push-notification')).state, 'unchecked');
  await openBy(pager, 'push-notification');
  await eventually('it is known', async () => {
    const { state } = await healthOf(pager, 'push-notification');
    return state === 'failing';
  });
  const { reason } = await healthOf(pager, 'push-notification');
  assert.ok(reason.startsWith(`${host} refuses pushes from this server (403): `), reason);
  assert.equal((await healthOf(outsider, 'push-notification')).state, 'unchecked');
  assert.equal((await facts(pager)).length, 1);
  await pass(11);
  const words = 'A channel is failing: Browser push';
  const { to } = await mail.arrival('the owner is notified', ({ subject }) => subject === words);
  assert.equal(to, 'owner@example.test');
  browser.answer = { status: 201 };
  await eventually('the page arrives', () => browser.received.length > 0, 90_000);
  await eventually('it works', async () => {
    const { state } = await healthOf(pager, 'push-notification');
    return state === 'ok';
  });
  assert.deepEqual(await facts(pager), []);
  assert.equal(mail.mails.filter(({ subject }) => subject === words).length, 1, 'nobody else');
});
