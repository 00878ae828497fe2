// A mail server that an admin connects while servers run without one: from then on everything that is
// sent by e-mail leaves through it, on every server.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { sendTestCommand } from '../../src/commands/send-test.ts';
import { signInLinkCommand } from '../../src/commands/sign-in-link.ts';
import { anyDatabase, testDatabase } from '../database.ts';
import { startPushService } from '../push-service.ts';
import { type FakeSmtp, smtpCertificate, startFakeSmtp } from '../vendors/smtp.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { type InProcess, startInProcess } from './in-process.ts';
import { withoutMailServer } from './mail-sink.ts';
import { startMailServer } from './notice-servers.ts';
import { signIn } from './sign-in.ts';

const password = 'correct horse battery';
const settings = {
  ...withoutMailServer,
  PAGER_ALLOW_NETWORKS: '127.0.0.0/8,::1/128',
  PAGER_BOOTSTRAP_PASSWORD: password,
  PAGER_SECRET_KEY: 'k'.repeat(40),
  PAGER_EMAIL_DOMAIN: 'alerts.example.test',
};

const trusted = getCACertificates();
before(() => setDefaultCACertificates([...trusted, smtpCertificate]));
after(() => setDefaultCACertificates(trusted));

const colleague = {
  first_name: 'Ada',
  last_name: 'Byron',
  email: 'ada@example.test',
  role: 'responder',
};

const connectionTo = ({ port, user, password: secret }: FakeSmtp) => ({
  vendor: 'smtp',
  name: 'Our mail server',
  settings: {
    host: 'localhost',
    port,
    username: user,
    from_email: 'On call <oncall@example.test>',
  },
  secrets: { password: secret },
});

async function startServers(stack: AsyncDisposableStack) {
  const smtp = stack.use(await startFakeSmtp());
  const database = stack.use(await testDatabase({ server: await anyDatabase() }));
  const first = stack.use(await startInProcess(database, settings));
  const second = stack.use(await startInProcess(database, settings));
  const owner = await signIn(first, password);
  const arrival = (what: string, subject: RegExp, to: string) =>
    eventually(what, () =>
      smtp.taken.find((one) => one.to === to && subject.test(one.mail.subject ?? '')),
    );
  return { smtp, database, first, second, owner, arrival };
}

const emailOn = async ({ api }: InProcess) => {
  const { body } = await api.send('GET /channels');
  return body.data.find(({ channel }: { channel: string }) => channel === 'email');
};

const reset = (pager: InProcess, email: string) =>
  fetch(`${pager.url}/auth/lost-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });

const setupOf = async ({ api }: InProcess) => (await api.send('GET /attention')).body;

/** Pages the owner by e-mail alone. */
async function pageByMail({ api }: InProcess, title: string): Promise<void> {
  const [owner] = await api.list('users');
  const [integration] = await api.list('integrations');
  const [policy] = await api.list('escalation-policies');
  const steps = [{ targets: [{ via: 'email', user_id: owner.id }] }];
  const saved = await api.send(`PATCH /escalation-policies/${policy.id}`, { steps });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  await postJson(integration.webhook_url, { title });
}

test('a mail server that is connected sends all e-mails of all servers, until it is archived', async () => {
  await using stack = new AsyncDisposableStack();
  const { smtp, first, second, owner, arrival } = await startServers(stack);
  const { api } = first;
  const ada = await api.create('users', colleague);
  assert.match((await emailOn(first)).reason, /^E-mail is not set up: .*Add a mail server under/);
  const early = await owner(`POST /users/${ada.id}/invitation`);
  assert.match(early.body.url, /\/set-password\//, 'nothing could send it');
  assert.equal((await reset(second, 'owner@example.test')).status, 503);

  const written = connectionTo(smtp);
  const wrong = { ...written, secrets: { password: 'wrong' } };
  const connection = await api.create('channel-connections', wrong);
  assert.deepEqual(
    [connection.channels, connection.settings.security, 'ends' in connection.secrets.password],
    [['email'], 'starttls', false],
  );
  const path = `/channel-connections/${connection.id}`;
  const refused = await owner(`POST ${path}/test`, {});
  const [{ ok, message }] = refused.body.checks;
  assert.equal(ok, false);
  assert.match(message, /refused the sign-in with 535: correct the user name and the password/);
  assert.equal((await api.send(`GET ${path}`)).body.health.state, 'failing');
  const halved = await api.send(`PATCH ${path}`, { settings: { username: null } });
  assert.deepEqual(
    [halved.status, halved.body.issues],
    [422, [{ path: 'settings.username', message: 'is required with secrets.password' }]],
  );
  const elsewhere = await api.send(`PATCH ${path}`, { settings: { host: 'smtp.evil.test' } });
  assert.deepEqual(
    [elsewhere.status, elsewhere.body.issues[0].path],
    [422, 'settings.host'],
    'a stored password goes to no other server',
  );
  await api.send(`PATCH ${path}`, { secrets: written.secrets });
  const { body: me } = await owner('GET /users/me');
  const [contact] = (await owner(`GET /users/${me.id}/contacts`)).body.data;
  const tested = await owner(`POST ${path}/test`, { contact_id: contact.id });
  assert.ok(
    tested.body.checks.every((one: { ok: boolean }) => one.ok),
    JSON.stringify(tested.body),
  );
  await arrival('the test message', /^Test message from Pager$/, 'owner@example.test');
  const { health, account } = (await api.send(`GET ${path}`)).body;
  assert.deepEqual([health.state, account], ['ok', 'localhost']);

  for (const server of [first, second]) {
    const { usable, reason, health: own } = await emailOn(server);
    assert.deepEqual([usable, reason, own], [true, undefined, undefined]);
    const { data, setup } = await setupOf(server);
    assert.equal(setup.e_mail, undefined);
    assert.ok(data.every(({ type }: { type: string }) => type !== 'mail'));
  }
  const invited = await owner(`POST /users/${ada.id}/invitation`);
  assert.deepEqual([invited.status, invited.body.url], [201, undefined]);
  const invitation = await arrival('the invitation', /invite/i, 'ada@example.test');
  assert.deepEqual(
    [invitation.user, invitation.isEncrypted, invitation.mail.from?.address],
    ['pager', true, 'oncall@example.test'],
  );
  assert.equal((await reset(second, 'owner@example.test')).status, 202);
  await arrival('the link of the second server', /password/i, 'owner@example.test');
  await pageByMail(first, 'disk full');
  const page = await arrival('the page', /disk full/, 'owner@example.test');
  assert.match(page.mail.replyTo?.[0]?.address ?? '', /@alerts\.example\.test$/);
  await eventually('the usage is counted', async () => {
    const { usage } = (await api.send(`GET ${path}`)).body;
    return usage[0].messages > 0;
  });

  const record = { id: connection.id, archived: true };
  const preview = await api.send('POST /preview', { kind: 'channel_connection', record });
  assert.equal(preview.status, 200, JSON.stringify(preview.body));
  const codes = preview.body.data.warnings.map(({ code }: { code: string }) => code);
  assert.deepEqual(codes, ['channel_lost', 'still_used', 'pages_stop', 'step_reaches_nobody']);
  const archived = await api.send(`DELETE ${path}`);
  assert.match(archived.body.warnings.join(), /No connection serves the channel email anymore/);
  assert.equal((await emailOn(second)).usable, false);
  assert.equal((await reset(second, 'owner@example.test')).status, 503);
});

test('the mail server of the environment is used in place of a connection, which alarms nobody then', async () => {
  await using stack = new AsyncDisposableStack();
  const smtp = stack.use(await startFakeSmtp());
  const mail = stack.use(await startMailServer());
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      ...settings,
      PAGER_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      PAGER_MAIL_FROM: 'Pager <pager@example.test>',
    }),
  );
  const { api, sql } = pager;
  const connection = await api.create('channel-connections', {
    ...connectionTo(smtp),
    secrets: { password: 'wrong' },
  });
  assert.match(connection.unused_reason, /^The mail server in PAGER_SMTP_URL is used instead\./);
  const path = `/channel-connections/${connection.id}`;
  const { body } = await api.send(`POST ${path}/test`, {});
  assert.equal(body.checks[0].ok, false, 'it can be tested before it is used');
  await eventually('it was due, and is put off', async () => {
    const due = await sql`select from connection_checks where check_at <= now()`;
    return due.length === 0;
  });
  assert.equal((await api.send(`GET ${path}`)).body.health.state, 'unchecked');
  await pageByMail(pager, 'disk full');
  await mail.arrival('the page', ({ subject }) => /disk full/.test(subject));
  assert.equal(smtp.taken.length, 0);
  const archived = await api.send(`DELETE ${path}`);
  assert.deepEqual(archived.body.warnings ?? [], []);
});

test('commands send by the mail server of the organization too', async () => {
  await using stack = new AsyncDisposableStack();
  const { smtp, first } = await startServers(stack);
  await first.api.create('channel-connections', connectionTo(smtp));
  const lines: string[] = [];
  const output = {
    write: (text: string) => void lines.push(text),
    writeError: (text: string) => void lines.push(text),
  };
  const { config } = first;
  assert.equal(await sendTestCommand(['owner@example.test'], config, output), 0, lines.join(''));
  assert.match(lines.join(''), /^The test page to .* by e-mail was accepted: 250 /);
  await first.api.create('users', colleague);
  assert.equal(await signInLinkCommand(['ada@example.test'], config, output), 0, lines.join(''));
  assert.deepEqual(
    smtp.taken.map(({ to }) => to),
    ['owner@example.test', 'owner@example.test'],
    'the second is about the link',
  );
});

test('admins are notified of a mail server that fails, and not through it', async () => {
  await using stack = new AsyncDisposableStack();
  const smtp = stack.use(await startFakeSmtp());
  const pager = stack.use(await startInProcess(await anyDatabase(), settings));
  const { api, sql } = pager;
  const wrong = { ...connectionTo(smtp), secrets: { password: 'wrong' } };
  const { id } = await api.create('channel-connections', wrong);
  const noticed = async () => {
    await pager.pass({ minutes: 11 });
    await sql`update connection_checks set check_at = '-infinity'`;
    return eventually('they were to be notified', async () => {
      const [row] = await sql`
        select (select array_agg(channel) from outbox where kind = 'connection_failing') as channels
        from connection_health where connection_id = ${id} and notified_at is not null`;
      return row;
    });
  };
  await eventually('it fails', async () => {
    const { body } = await api.send(`GET /channel-connections/${id}`);
    return body.health.state === 'failing';
  });
  assert.deepEqual(await noticed(), { channels: null }, 'there is no other way to the owner');
  const service = stack.use(await startPushService());
  const browser = service.browser((await api.send('GET /push/key')).body.public_key);
  const [owner] = await api.list('users');
  const contact = await api.create(`users/${owner.id}/contacts`, {
    channel: 'push-notification',
    address: `web:${JSON.stringify(browser.subscription)}`,
  });
  await sql`update contacts set verified_at = now() where id = ${contact.id}`;
  await sql`update connection_health set notified_at = null`;
  assert.deepEqual(await noticed(), { channels: ['push-notification'] });
});
