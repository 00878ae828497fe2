// Groups of a real Alertmanager, by `group_by` of three kinds and none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
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

const server = await anyDatabase();

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

test('alerts that Alertmanager groups are one incident and one page for each group', async (t) => {
  if (!(await isInstalled()))
    return t.skip(skipped('Alertmanager', 'apt-get install prometheus-alertmanager'));
  await using mail = await startMailServer();
  await using pager = await startInProcess(server, mailTo(mail));
  const [service] = await pager.api.list('services');
  const [owner] = await pager.api.list('users');
  const policy = await pager.api.create('escalation-policies', {
    name: 'Once',
    steps: [{ targets: [{ via: 'email', user_id: owner.id }] }],
  });
  const ids = { service_id: service.id, escalation_policy_id: policy.id };
  for (const { groupBy, hosts, groups } of [
    { groupBy: ['alertname'], hosts: 250, groups: 1 },
    { groupBy: ['alertname', 'cluster'], hosts: 20, groups: 2 },
    { groupBy: ['...'], hosts: 3, groups: 6 },
    // Everything that the route sends: no group.
    { groupBy: [], hosts: 3, groups: 6 },
  ]) {
    const made = await pager.api.create('integrations', { slug: 'alertmanager', ...ids });
    await using alertmanager = await startAlertmanager(made.webhook_url, { groupBy });
    const alerts = alertsOf(hosts);
    const before = mail.mails.length;
    const pages = () =>
      mail.mails.slice(before).filter(({ subject }) => !subject.startsWith('Resolved:'));
    const open = async () => {
      const incidents = await pager.api.list('incidents');
      return incidents.filter(
        ({ status, integration_id }) => status !== 'resolved' && integration_id === made.id,
      );
    };
    const firing = async () =>
      (await open()).reduce((sum, { alerts_firing: some }) => sum + some, 0);
    await sendAll(alertmanager, alerts);
    const what = `${JSON.stringify(groupBy)}: `;
    await eventually(`${what}all are there`, async () => (await firing()) === alerts.length);
    assert.equal((await open()).length, groups, what);
    await eventually(`${what}a page for each`, () => pages().length >= groups);
    const [half, rest] = [alerts.slice(0, hosts), alerts.slice(hosts)];
    await sendAll(alertmanager, half, true);
    await eventually(`${what}half are over`, async () => (await firing()) === rest.length);
    await sendAll(alertmanager, rest, true);
    await eventually(`${what}all are over`, async () => (await open()).length === 0);
    assert.equal(pages().length, groups, what);
  }
});
