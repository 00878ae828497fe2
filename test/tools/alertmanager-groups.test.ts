// Groups of a real Alertmanager: by `group_by` of three kinds and none, cut by `max_alerts`, of a pair.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/engine/clock.ts';
import { anyDatabase } from '../database.ts';
import { skipped } from '../skipped.ts';
import {
  type Alertmanager,
  isInstalled,
  type Labels,
  startAlertmanager,
} from '../system/alertmanager-process.ts';
import { postJson } from '../system/api-client.ts';
import { eventually } from '../system/eventually.ts';
import { startInProcess } from '../system/in-process.ts';
import { startMailServer } from '../system/notice-servers.ts';
import { mailTo } from '../system/server-process.ts';
import { startPair } from './alertmanager-pair.ts';

const server = await anyDatabase();

const missing = () => skipped('Alertmanager', 'apt-get install prometheus-alertmanager');

/** Two clusters with so many hosts each. */
const alertsOf = (hosts: number): readonly Labels[] =>
  ['eu', 'us'].flatMap((cluster) =>
    Array.from({ length: hosts }, (_, host) => ({
      alertname: 'DiskFull',
      cluster,
      instance: `${cluster}-${host}`,
    })),
  );

/** All at once, as Prometheus sends them. */
async function sendAll({ port }: Alertmanager, alerts: readonly Labels[], ended = false) {
  const body = alerts.map((labels) => ({
    labels,
    annotations: { summary: `Disk full on ${labels['instance']}` },
    ...(ended && { endsAt: new Date().toISOString() }),
  }));
  const { status } = await postJson(`http://127.0.0.1:${port}/api/v2/alerts`, body);
  assert.equal(status, 200);
}

/** A policy that mails once, and its integrations. */
async function start(stack: AsyncDisposableStack) {
  const mail = stack.use(await startMailServer());
  const pager = stack.use(await startInProcess(server, mailTo(mail)));
  const [service] = await pager.api.list('services');
  const [owner] = await pager.api.list('users');
  const policy = await pager.api.create('escalation-policies', {
    name: 'Once',
    steps: [{ targets: [{ via: 'email', user_id: owner.id }] }],
  });
  const ids = { service_id: service.id, escalation_policy_id: policy.id };
  const integration = () => pager.api.create('integrations', { slug: 'alertmanager', ...ids });
  const openOf = async ({ id }: { id: string }) => {
    const incidents = await pager.api.list('incidents');
    return incidents.filter(
      ({ status, integration_id }) => status !== 'resolved' && integration_id === id,
    );
  };
  const firingOf = async (made: { id: string }) =>
    (await openOf(made)).reduce((sum, { alerts_firing: some }) => sum + some, 0);
  const pages = () => mail.mails.filter(({ subject }) => !subject.startsWith('Resolved:'));
  return { pager, integration, openOf, firingOf, pages };
}

test('alerts that Alertmanager groups are one incident and one page for each group', async (t) => {
  if (!(await isInstalled())) return t.skip(missing());
  await using stack = new AsyncDisposableStack();
  const { integration, openOf, firingOf, pages } = await start(stack);
  for (const { groupBy, hosts, groups } of [
    { groupBy: ['alertname'], hosts: 250, groups: 1 },
    { groupBy: ['alertname', 'cluster'], hosts: 20, groups: 2 },
    { groupBy: ['...'], hosts: 3, groups: 6 },
    // Everything that the route sends: no group.
    { groupBy: [], hosts: 3, groups: 6 },
  ]) {
    const made = await integration();
    await using alertmanager = await startAlertmanager(made.webhook_url, { groupBy });
    const alerts = alertsOf(hosts);
    const before = pages().length;
    const [open, firing] = [() => openOf(made), () => firingOf(made)];
    const paged = () => pages().length - before;
    await sendAll(alertmanager, alerts);
    const what = `${JSON.stringify(groupBy)}: `;
    await eventually(`${what}all are there`, async () => (await firing()) === alerts.length);
    assert.equal((await open()).length, groups, what);
    await eventually(`${what}a page for each`, () => paged() >= groups);
    const [half, rest] = [alerts.slice(0, hosts), alerts.slice(hosts)];
    await sendAll(alertmanager, half, true);
    await eventually(`${what}half are over`, async () => (await firing()) === rest.length);
    await sendAll(alertmanager, rest, true);
    await eventually(`${what}all are over`, async () => (await open()).length === 0);
    assert.equal(paged(), groups, what);
  }
});

test('what Alertmanager cuts of a group is said on the timeline and in the strip', async (t) => {
  if (!(await isInstalled())) return t.skip(missing());
  await using stack = new AsyncDisposableStack();
  const { pager, integration, openOf, firingOf, pages } = await start(stack);
  const made = await integration();
  const config = { url: made.webhook_url, send_resolved: true, max_alerts: 3 };
  const groupBy = ['alertname'];
  await using alertmanager = await startAlertmanager({ webhook_configs: [config] }, { groupBy });
  const alerts = alertsOf(3);
  await sendAll(alertmanager, alerts);
  await eventually('three are there', async () => (await firingOf(made)) === 3);
  const [incident] = await openOf(made);
  const timeline = await pager.api.list(`incidents/${incident.id}/timeline`);
  const notes = timeline.filter(({ type }) => type === 'alert_note');
  assert.match(notes[0]?.text, /3 more/);
  const omitted = async () => {
    const { body } = await pager.api.send('GET /attention');
    return body.data.some(({ type }: { type: string }) => type === 'integration_omitted_alerts');
  };
  await eventually('the strip says it', omitted);
  await eventually('one page', () => pages().length > 0);
  assert.deepEqual([(await openOf(made)).length, pages().length], [1, 1]);
});

test('a pair of Alertmanagers has one incident for a group', async (t) => {
  if (!(await isInstalled())) return t.skip(missing());
  await using stack = new AsyncDisposableStack();
  const { integration, openOf, firingOf, pages } = await start(stack);
  const made = await integration();
  await using pair = await startPair(made.webhook_url, { groupBy: ['instance'] });
  const now = () => systemClock.now();
  await pair.begins(now(), 'DiskFull', 'RaidDegraded');
  await eventually('both are there', async () => (await firingOf(made)) === 2);
  await pair.begins(now(), 'LinkDown');
  await eventually('the third has joined', async () => (await firingOf(made)) === 3);
  assert.equal((await openOf(made)).length, 1);
  await pair.ends(now(), 'DiskFull', 'LinkDown');
  await eventually('two are over', async () => (await firingOf(made)) === 1);
  await pair.ends(now(), 'RaidDegraded');
  await eventually('all are over', async () => (await openOf(made)).length === 0);
  assert.equal(pages().length, 1);
});
