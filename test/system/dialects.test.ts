// Programs that are set up for another service page and resolve when only their address is changed.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { Agent } from 'node:https';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { acknowledge, change, event, resolve, trigger } from '@pagerduty/pdjs';
import { anyDatabase } from '../database.ts';
import { skipped } from '../skipped.ts';
import {
  isInstalled as hasAlertmanager,
  type Labels,
  startAlertmanager,
} from './alertmanager-process.ts';
import { byPagerDuty, isInstalled as hasNetdata, notifyOf } from './netdata-notifier.ts';
import { isInstalled as hasPrometheus, startPrometheus } from './prometheus-process.ts';
import { openScene } from './scene.ts';
import { isInstalled as hasZabbix, runMediaType } from './zabbix-scripts.ts';

const server = await anyDatabase();

/** For a client that knows https alone: TLS would end before this server. */
class WithoutTls extends Agent {
  override createConnection({ host = '127.0.0.1', port }: { host?: string; port?: number }) {
    return connect({ host, port: Number(port) });
  }
}

test('the client of PagerDuty pages, acknowledges and resolves', async () => {
  await using scene = await openScene(server);
  const way = { server: scene.host, agent: new WithoutTls() };
  const routing_key = (await scene.token()).slice(0, 32);
  const payload = { summary: 'Disk full', source: 'db-1', severity: 'critical' } as const;
  const first = await trigger({ ...way, data: { routing_key, event_action: 'trigger', payload } });
  const { dedup_key } = first.data;
  assert.deepEqual(
    [first.status, first.data],
    [202, { status: 'success', message: 'Event processed', dedup_key }],
  );
  await scene.paged(/Disk full/);
  // Its types want a payload, which it does not send for these.
  const later = { routing_key, dedup_key } as unknown as Parameters<typeof resolve>[0]['data'];
  await acknowledge({ ...way, data: later });
  assert.deepEqual(await scene.statuses(), ['acknowledged']);
  await resolve({ ...way, data: later });
  assert.deepEqual(await scene.statuses(), ['resolved']);
  const deployed = {
    routing_key,
    links: [],
    payload: { ...payload, timestamp: '2026-11-21T03:00:00Z', custom_details: {} },
  } as unknown as Parameters<typeof change>[0]['data'];
  const changed = await change({ ...way, data: deployed });
  assert.equal(changed.status, 202);
  assert.deepEqual(await scene.statuses(), ['resolved']);
});

test('the client of PagerDuty keeps its key once an integration has adopted it', async () => {
  await using scene = await openScene(server);
  const { api } = scene.pager;
  const routing_key = 'R02ABCDEFGHIJKLMNOPQRSTUVWXYZ123';
  const payload = { summary: 'Disk full', source: 'db-1', severity: 'critical' } as const;
  const way = { server: scene.host, agent: new WithoutTls() };
  const send = () => event({ ...way, data: { routing_key, event_action: 'trigger', payload } });
  const refused = await send();
  assert.deepEqual([refused.status, refused.data.errors], [400, ['Invalid routing key']]);
  const [unknown] = (await api.send('GET /unknown-keys')).body.data;
  assert.deepEqual([unknown.kind, unknown.last4], ['pagerduty', 'Z123']);
  const [integration] = await api.list('integrations');
  const adopted = { kind: 'pagerduty', key: routing_key };
  await api.create(`integrations/${integration.id}/adopted-keys`, adopted);
  assert.equal((await send()).status, 202);
  await scene.paged(/Disk full/);
});

type Answered = { readonly requestId: string; readonly data: { readonly alertId: string } };
type Callback = (error: unknown, answer: Answered) => void;
type OpsgenieSdk = {
  configure(options: object): void;
  readonly alertV2: {
    create(alert: object, callback: Callback): void;
    acknowledge(which: object, what: object, callback: Callback): void;
    addNote(which: object, what: object, callback: Callback): void;
    close(which: object, what: object, callback: Callback): void;
    get(which: object, callback: Callback): void;
    getRequestStatus(id: string, callback: Callback): void;
  };
};

test('the client of Opsgenie pages, acknowledges and closes', async () => {
  await using scene = await openScene(server);
  const require = createRequire(import.meta.url);
  // It has no types.
  const sdk: OpsgenieSdk = require('opsgenie-sdk');
  sdk.configure({ api_key: await scene.token(), host: scene.url });
  const { alertV2: alerts } = sdk;
  const answered = (call: (callback: Callback) => void) =>
    new Promise<Answered>((done, failed) =>
      call((error, answer) => (error ? failed(error) : done(answer))),
    );
  const alert = { message: 'Queue is long', alias: 'queue/1', priority: 'P1' };
  const { requestId } = await answered((to) => alerts.create(alert, to));
  await scene.paged(/Queue is long/);
  const { data } = await answered((to) => alerts.getRequestStatus(requestId, to));
  const byId = { identifier: data.alertId, identifierType: 'id' };
  const byAlias = { identifier: encodeURIComponent('queue/1'), identifierType: 'alias' };
  await answered((to) => alerts.get(byId, to));
  await answered((to) => alerts.addNote(byAlias, { note: 'looking' }, to));
  await answered((to) => alerts.acknowledge(byAlias, { user: 'ci' }, to));
  assert.deepEqual(await scene.statuses(), ['acknowledged']);
  await answered((to) => alerts.close(byId, { user: 'ci' }, to));
  assert.deepEqual(await scene.statuses(), ['resolved']);
});

test('Alertmanager pages and resolves by four kinds of receivers', async (t) => {
  if (!(await hasAlertmanager()))
    return t.skip(skipped('Alertmanager', 'apt-get install prometheus-alertmanager'));
  await using scene = await openScene(server);
  const { url } = scene;
  const path = '/integrations/generic/20131114/alert/';
  await using alertmanager = await startAlertmanager({
    webhook_configs: [{ url: `${url}/hooks/${await scene.token('alertmanager')}/push-events` }],
    pagerduty_configs: [{ url: `${url}/v2/enqueue`, routing_key: await scene.token() }],
    opsgenie_configs: [{ api_url: `${url}/`, api_key: await scene.token() }],
    victorops_configs: [
      { api_url: `${url}${path}`, api_key: await scene.token(), routing_key: 'database' },
    ],
  });
  const labels: Labels = { alertname: 'DiskFull', instance: 'db-1', severity: 'critical' };
  await alertmanager.raise(labels, { summary: 'The disk of db-1 is full' });
  await scene.become('triggered', 'triggered', 'triggered', 'triggered');
  await scene.paged(/The disk of db-1 is full/);
  await scene.paged(/\[FIRING:1\]/);
  await alertmanager.resolve(labels);
  await scene.become('resolved', 'resolved', 'resolved', 'resolved');
});

test('the command of Alertmanager finds one', async (t) => {
  if (!(await hasAlertmanager()))
    return t.skip(skipped('amtool', 'apt-get install prometheus-alertmanager'));
  await using scene = await openScene(server);
  const address = `--alertmanager.url=${scene.url}/hooks/${await scene.token()}`;
  const amtool = (...words: readonly string[]) =>
    promisify(execFile)('amtool', [address, ...words]);
  await amtool('alert', 'add', 'DiskFull', 'instance=db-1');
  assert.deepEqual(await scene.statuses(), ['triggered']);
  assert.match((await amtool('config', 'show')).stdout, /^\s*$/);
  assert.equal((await amtool('alert', 'query', '-o', 'json')).stdout.trim(), '[]');
});

test('Prometheus, without an Alertmanager, pages and resolves', async (t) => {
  if (!(await hasPrometheus())) return t.skip(skipped('Prometheus', 'apt-get install prometheus'));
  await using scene = await openScene(server);
  await using prometheus = await startPrometheus(
    [scene.host],
    [
      { path_prefix: `/hooks/${await scene.token()}` },
      { authorization: { credentials: await scene.token() } },
      { basic_auth: { username: 'prometheus', password: await scene.token() }, api_version: 'v2' },
    ],
  );
  await prometheus.set(true);
  await scene.become('triggered', 'triggered', 'triggered');
  await scene.paged(/The disk of db-1 is full/);
  await prometheus.set(false);
  await scene.become('resolved', 'resolved', 'resolved');
});

const zabbixEvent = {
  event_source: '0',
  event_value: '1',
  event_update_status: '0',
  event_id: '42',
};

test("Zabbix's script for Opsgenie pages, acknowledges and resolves", async (t) => {
  if (!(await hasZabbix()))
    return t.skip(skipped("Zabbix's scripts", 'apt-get install zabbix-server-pgsql'));
  await using scene = await openScene(server);
  const parameters = {
    alert_subject: 'Problem: disk full',
    alert_message: 'of db-1',
    event_nseverity: '5',
    opsgenie_api: `${scene.url}/v2/alerts`,
    opsgenie_web: 'https://opsgenie.example.test',
    opsgenie_token: await scene.token(),
    zbxurl: 'https://zabbix.example.test',
    trigger_id: '7',
    zbxuser: 'Ada',
    event_tags_json: '[]',
    event_update_action: '',
    severity_disaster: 'P1',
    severity_resolved: 'P5',
    severity_default: 'P5',
  };
  const run = (more: object) =>
    runMediaType('Opsgenie', { ...parameters, ...zabbixEvent, ...more });
  assert.match(await run({}), /__zbx_ops_issuekey/);
  await scene.paged(/Problem: disk full/);
  await run({ event_update_status: '1', event_update_action: 'acknowledged' });
  assert.deepEqual(await scene.statuses(), ['acknowledged']);
  await run({ event_update_status: '1', event_update_action: 'commented' });
  await run({ event_value: '0' });
  assert.deepEqual(await scene.statuses(), ['resolved']);
});

test("Zabbix's script for PagerDuty pages, acknowledges and resolves", async (t) => {
  if (!(await hasZabbix()))
    return t.skip(skipped("Zabbix's scripts", 'apt-get install zabbix-server-pgsql'));
  await using scene = await openScene(server);
  const token = await scene.token();
  const parameters = {
    token,
    eventid: '42',
    eventname: 'Problem: disk full',
    hostname: 'db-1',
    hostip: '192.0.2.1',
    severity: '5',
    triggerid: '7',
    event_source: '0',
    eventvalue: '1',
    eventack: 'No',
    eventupdate: '0',
    eventdate: '2026.11.21',
    eventtime: '03:00:00',
    triggerdesc: '',
    triggeropdata: '',
    eventtags: '',
    url: 'https://zabbix.example.test',
  };
  // The host is a constant of the script.
  const host = { from: 'https://events.pagerduty.com', to: scene.url };
  const run = (more: object) => runMediaType('PagerDuty', { ...parameters, ...more }, host);
  await run({});
  await scene.paged(/Problem: disk full/);
  await run({ eventack: 'Yes', eventupdate: '1' });
  assert.deepEqual(await scene.statuses(), ['acknowledged']);
  await run({ eventvalue: '0' });
  assert.deepEqual(await scene.statuses(), ['resolved']);
  const bad = run({ token: 'f'.repeat(40) });
  await assert.rejects(bad, ({ stdout = '', stderr = '' }) =>
    /Invalid routing key/.test(stdout + stderr),
  );
});

test("Zabbix's script for VictorOps pages and resolves", async (t) => {
  if (!(await hasZabbix()))
    return t.skip(skipped("Zabbix's scripts", 'apt-get install zabbix-server-pgsql'));
  await using scene = await openScene(server);
  const path = '/integrations/generic/20131114/alert';
  const parameters = {
    vops_endpoint: `${scene.url}${path}/${await scene.token()}`,
    vops_routing_key: 'db',
    priority_disaster: 'CRITICAL',
    priority_resolved: 'OK',
    priority_update: 'INFO',
    event_nseverity: '5',
    'field:entity_id': '42',
    'field:entity_display_name': 'Disk full',
  };
  const run = (more: object) =>
    runMediaType('VictorOps', { ...parameters, ...zabbixEvent, ...more });
  await run({});
  await scene.paged(/Disk full/);
  await run({ event_update_status: '1' });
  assert.deepEqual(await scene.statuses(), ['triggered']);
  await run({ event_value: '0' });
  assert.deepEqual(await scene.statuses(), ['resolved']);
});

for (const version of [1, 2] as const)
  test(`Netdata's notifier pages and resolves by version ${version} of PagerDuty`, async (t) => {
    if (!(await hasNetdata()))
      return t.skip(skipped("Netdata's notifier", 'apt-get install netdata-plugins-bash'));
    await using scene = await openScene(server);
    const way = byPagerDuty(scene.url, await scene.token(), version);
    await notifyOf({ id: 1, from: 'CLEAR', to: 'WARNING' }, way);
    await scene.paged(/payments queue|payments_queue/);
    await notifyOf({ id: 2, from: 'WARNING', to: 'CRITICAL' }, way);
    assert.deepEqual(await scene.statuses(), ['triggered']);
    await notifyOf({ id: 3, from: 'CRITICAL', to: 'CLEAR' }, way);
    assert.deepEqual(await scene.statuses(), ['resolved']);
  });
