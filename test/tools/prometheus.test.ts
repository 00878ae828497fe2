// Prometheus stops while an alert fires, and so does Pager: what still burns pages again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { skipped } from '../skipped.ts';
import { isInstalled as hasAlertmanager } from '../system/alertmanager-process.ts';
import { eventually } from '../system/eventually.ts';
import { startInProcess } from '../system/in-process.ts';
import { startMailServer } from '../system/notice-servers.ts';
import { isInstalled as hasPrometheus, startPrometheus } from '../system/prometheus-process.ts';
import { mailTo } from '../system/server-process.ts';
import { startPair } from './alertmanager-pair.ts';

const server = await anyDatabase();

test('what still burns after a gap of Prometheus pages again, six minutes later', async (t) => {
  if (!(await hasPrometheus()) || !(await hasAlertmanager()))
    return t.skip(skipped('Prometheus', 'apt-get install prometheus prometheus-alertmanager'));
  await using mail = await startMailServer();
  await using pager = await startInProcess(server, mailTo(mail));
  const [service] = await pager.api.list('services');
  const [owner] = await pager.api.list('users');
  const policy = await pager.api.create('escalation-policies', {
    name: 'Once',
    steps: [{ targets: [{ via: 'email', user_id: owner.id }] }],
  });
  const ids = { service_id: service.id, escalation_policy_id: policy.id };
  const made = await pager.api.create('integrations', { slug: 'prometheus', ...ids });
  const pages = () => mail.mails.filter(({ subject }) => !subject.startsWith('Resolved:')).length;
  const isOpen = async () => {
    const incidents = await pager.api.list('incidents');
    return incidents.some(({ status }) => status !== 'resolved');
  };
  await using pair = await startPair(made.webhook_url);
  const targets = pair.peers.map(({ port }) => `127.0.0.1:${port}`);
  await using prometheus = await startPrometheus(targets, [{}]);
  await prometheus.set(true);
  await eventually('it pages', () => pages() === 1);
  assert.equal((await pair.broken()).length, 1);

  // Each firing holds for four of its intervals, here seconds: then Alertmanager says that it is over.
  prometheus.freeze();
  await eventually('it is over', async () => !(await isOpen()));
  assert.deepEqual(await pair.broken(), []);
  prometheus.thaw();
  await eventually('it is open again', isOpen);
  await pager.calm();
  assert.equal(pages(), 1, 'it may be a late copy');
  await pager.pass({ minutes: 6 });
  await eventually('it pages again', () => pages() === 2);
  assert.equal((await pair.broken()).length, 1);

  await prometheus.set(false);
  await eventually('it is over', async () => !(await isOpen()));
  await eventually('the tool says so', async () => (await pair.broken()).length === 0);
  assert.equal(pages(), 2);
});
