// What release 0.1.0 opened goes on with this one: repeats join it, and its end ends it.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { testDatabase } from '../database.ts';
import { send } from '../mail-client.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { inProcessKey, startInProcess } from './in-process.ts';
import { startMailServer } from './notice-servers.ts';
import { checkOutReleaseBefore, noReleaseBefore } from './release-before.ts';
import { createInstallation, mailTo } from './server-process.ts';
import { systemPostgres } from './system-postgres.ts';

const postgres = await systemPostgres();

/** A tool's messages: before the upgrade, again after it, and its ends. */
type Tool = 'webhook' | 'prometheus' | 'email';
type Message = readonly [tool: Tool, message: object];

const titled = (title: string, more: object = {}): Message => ['webhook', { title, ...more }];
const mailed = (subject: string, text: string): Message => ['email', { subject, text }];
const group = (alertname: string, status: 'firing' | 'resolved'): Message => {
  const instant = new Date(Date.now() - 60_000).toISOString();
  const endsAt = status === 'resolved' ? new Date().toISOString() : '0001-01-01T00:00:00Z';
  const labels = { alertname, instance: 'db-1' };
  const alert = { status, labels, annotations: {}, startsAt: instant, endsAt };
  const common = JSON.parse('{"version":"4","groupKey":"{}","receiver":"pager"}');
  return ['prometheus', { ...common, status, alerts: [alert] }];
};
/** As Monit writes it: 0.1.0 took two ports of a service for one problem. */
const port = (number: number, state: 'failed' | 'succeeded') => {
  const at = `[localhost]:${number} [TCP/IP]`;
  const description =
    state === 'failed' ? `failed protocol test [HTTP] at ${at}` : `connection succeeded to ${at}`;
  const text = `Connection ${state} Service shop \n\n\tHost:        web-01\n\tDescription: ${description}\n`;
  return mailed(`monit alert --  Connection ${state} shop`, text);
};

const before: readonly Message[] = [
  titled('Backup failed'),
  titled('PROBLEM: db down'),
  titled('OK: db down'),
  titled('PROBLEM: web down'),
  titled('Queue full', { dedup_key: 'queue' }),
  port(80, 'failed'),
  port(443, 'failed'),
  mailed('PROBLEM: disk full', 'It is full'),
  mailed('OK: disk full', 'It is not'),
  group('DiskFull', 'firing'),
];
const opened = [
  'Backup failed',
  'PROBLEM: db down',
  'OK: db down',
  'PROBLEM: web down',
  'Queue full',
  'monit alert -- Connection failed shop',
  'PROBLEM: disk full',
  'OK: disk full',
  'DiskFull',
];
/** The second port shared the incident of the first. */
const lasting = [
  'Backup failed',
  'DiskFull',
  'PROBLEM: web down',
  'Queue full',
  'monit alert -- Connection failed shop',
  'monit alert -- Connection failed shop',
];
const repeats: readonly Message[] = [
  titled('Backup failed'),
  titled('PROBLEM: web down'),
  titled('Queue full', { dedup_key: 'queue' }),
  port(443, 'failed'),
  port(80, 'failed'),
  group('DiskFull', 'firing'),
];
const ends: readonly Message[] = [
  titled('Backup failed', { status: 'resolve' }),
  titled('OK: web down'),
  titled('Queue full', { dedup_key: 'queue', status: 'ok' }),
  port(443, 'succeeded'),
  port(80, 'succeeded'),
  group('DiskFull', 'resolved'),
];

test('what 0.1.0 opened goes on: repeats join, ends end, and nothing pages twice', {
  skip: noReleaseBefore,
}, async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'pager-before-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  await checkOutReleaseBefore(folder);
  const mail = stack.use(await startMailServer());
  const database = stack.use(await testDatabase({ server: postgres, migrations: 'none' }));
  const { sql } = database;
  const settings = {
    ...mailTo(mail),
    PAGER_DATABASE_URL: database.url,
    PAGER_SECRET_KEY: 'k'.repeat(40),
    PAGER_BOOTSTRAP_API_KEY: inProcessKey,
    PAGER_EMAIL_DOMAIN: 'alerts.test',
  };
  const installation = stack.use(await createInstallation(settings, folder));
  const older = await installation.start();
  stack.defer(async () => void (await older.stop()));
  const [{ service_id, escalation_policy_id }] = await older.api.list('integrations');
  const tokens = new Map<string, string>();
  /** Of the canary of a server there are incidents too. */
  const integrations: string[] = [];
  for (const slug of ['webhook', 'prometheus', 'email'] as const) {
    const fields = { name: slug, slug, service_id, escalation_policy_id };
    const { id, email_address } = await older.api.create('integrations', fields);
    tokens.set(slug, email_address.split('@')[0]);
    integrations.push(id);
  }
  const deliver = async (at: { url: string; mailPort: number }, messages: readonly Message[]) => {
    for (const [tool, message] of messages) {
      const token = tokens.get(tool);
      if (tool === 'email') {
        const own = { from: 'tool@example.test', to: `${token}@alerts.test`, ...message };
        assert.equal(await send({ port: at.mailPort }, own), 250);
      } else {
        const { status, body } = await postJson(`${at.url}/hooks/${token}/push-events`, message);
        assert.equal(status, 202, JSON.stringify(body));
      }
    }
  };
  const titles = async (status: 'open' | 'all') => {
    const rows = await sql<{ title: string }[]>`
      select title from incidents
      where source_integration_id = any(${integrations})
        and (${status === 'all'} or status <> 'resolved')
      order by number`;
    return rows.map(({ title }) => title);
  };
  await deliver(older, before);
  assert.deepEqual(await titles('open'), opened);
  await pagedOnce(opened.length);
  assert.equal(await older.stop(), 0, older.output());

  const mailPort = await freePort();
  const listen = { PAGER_EMAIL_LISTEN: `127.0.0.1:${mailPort}` };
  const newer = stack.use(await startInProcess(database, { ...settings, ...listen }));
  const at = { url: newer.url, mailPort };
  let checks = 0;
  await eventually('the keys are exchanged', async () => {
    // Two looks a minute apart have to see no older server.
    if (checks % 100 === 0) await newer.pass({ minutes: 1 });
    checks += 1;
    const left = await sql`select from integrations where former_keys`;
    return left.length === 0;
  });
  assert.deepEqual((await titles('open')).sort(), lasting);
  await deliver(at, repeats);
  assert.deepEqual((await titles('open')).sort(), lasting);
  await deliver(at, ends);
  assert.deepEqual(await titles('open'), []);
  assert.equal((await titles('all')).length, opened.length + 1);
  await newer.calm();
  await pagedOnce(opened.length + 1);

  /** Each incident has paged, and once. */
  async function pagedOnce(incidents: number): Promise<void> {
    const pages = () => sql<{ count: number }[]>`
      select count(*) from outbox o
      join incidents i on i.organization_id = o.organization_id and i.id = o.incident_id
      where o.kind = 'page' and o.state = 'sent' and i.source_integration_id = any(${integrations})
      group by o.incident_id`;
    await eventually('all were paged', async () => (await pages()).length === incidents);
    assert.deepEqual(new Set((await pages()).map(({ count }) => count)), new Set([1]));
  }
});
