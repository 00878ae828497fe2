// A real Alertmanager fires, a real mail server receives, a person presses the button.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/engine/clock.ts';
import { anyDatabase } from '../database.ts';
import { skipped } from '../skipped.ts';
import { isInstalled, startAlertmanager } from './alertmanager-process.ts';
import { postJson, request } from './api-client.ts';
import { eventually } from './eventually.ts';
import { type InProcess, startInProcess } from './in-process.ts';
import { startMailServer } from './notice-servers.ts';
import { mailTo } from './server-process.ts';

const server = await anyDatabase();

test('an alert pages two steps, is acknowledged by a link, and ends with the all-clear', async (t) => {
  if (!(await isInstalled()))
    return t.skip(skipped('Alertmanager', 'apt-get install prometheus-alertmanager'));
  await using mail = await startMailServer();
  await using pager = await startInProcess(server, mailTo(mail));
  const integration = await seedTwoSteps(pager);
  await using alertmanager = await startAlertmanager(integration.webhook_url);
  const labels = { alertname: 'DiskFull', instance: 'db-1', severity: 'critical' };

  await alertmanager.raise(labels, { summary: 'The disk of db-1 is full' });
  const first = await mail.arrival('the page of step 1', ({ to }) => to === 'owner@example.test');
  assert.match(first.subject, /The disk of db-1 is full/);
  assert.equal(mail.mails.length, 1, 'step 2 is not paged yet');

  await pager.pass({ minutes: 1 });
  const second = await mail.arrival('the page of step 2', ({ to }) => to === 'grace@example.test');
  const link = /^Acknowledge: (\S+)$/m.exec(second.text)?.[1] ?? '';
  // The mail is here before its sending stands on the timeline.
  await eventually('both sendings are on the timeline', async () => {
    const sent = (await timelineOf(pager)).filter(({ type }) => type === 'notice_sent');
    return sent.length === 2;
  });
  await opensWithoutEffect(pager, link);
  const pressed = await request(link, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.equal(pressed.status, 200);
  assert.match(pressed.body, /Acknowledged by/);
  const [acknowledged] = await pager.api.list('incidents');
  assert.equal(acknowledged.status, 'acknowledged');
  const timeline = await timelineOf(pager);
  const entry = timeline.find(({ actor }) => actor?.via === 'email');
  assert.equal(entry?.actor.name, 'Grace Example', JSON.stringify(timeline));

  await alertmanager.resolve(labels);
  for (const to of ['owner@example.test', 'grace@example.test'])
    await mail.arrival(
      `the all-clear to ${to}`,
      (each) => each.to === to && each.subject.startsWith('Resolved:'),
    );
  const [resolved] = await pager.api.list('incidents');
  assert.equal(resolved.status, 'resolved');
  assert.equal(mail.mails.length, 4, 'nothing was said twice');
});

test('Prometheus without an Alertmanager opens incidents that end when it falls silent', async () => {
  await using mail = await startMailServer();
  await using pager = await startInProcess(server, mailTo(mail));
  const { webhook_url } = await seedTwoSteps(pager);
  const url = webhook_url.replace(/push-events$/, 'api/v2/alerts');
  const startsAt = systemClock.now();
  const endsAt = startsAt.add({ minutes: 4 });
  const alerts = ['db-1', 'db-2'].map((instance) => ({
    labels: { alertname: 'DiskFull', instance, severity: 'critical' },
    annotations: { summary: `The disk of ${instance} is full` },
    generatorURL: 'http://prometheus.example.com/graph?g0.expr=up',
    startsAt: startsAt.toString(),
    endsAt: endsAt.toString(),
  }));
  const { status } = await postJson(url, alerts);
  assert.equal(status, 200);
  await mail.arrival('a page', ({ to }) => to === 'owner@example.test');
  await postJson(url, alerts);
  const opened = await pager.api.list('incidents');
  assert.equal(opened.length, alerts.length);
  await pager.pass({ minutes: 5 });
  await eventually('the incidents end by themselves', async () => {
    const incidents = await pager.api.list('incidents');
    return incidents.every((incident) => incident.status === 'resolved');
  });
});

async function seedTwoSteps({ api }: InProcess) {
  const [owner] = await api.list('users');
  const [service] = await api.list('services');
  const grace = await api.create('users', {
    first_name: 'Grace',
    last_name: 'Example',
    email: 'grace@example.test',
    role: 'responder',
  });
  const policy = await api.create('escalation-policies', {
    name: 'Two steps',
    steps: [
      { targets: [{ via: 'email', user_id: owner.id }], escalate_after_minutes: 1 },
      { targets: [{ via: 'email', user_id: grace.id }] },
    ],
  });
  return api.create('integrations', {
    slug: 'prometheus',
    service_id: service.id,
    escalation_policy_id: policy.id,
  });
}

async function timelineOf({ api }: InProcess) {
  const [incident] = await api.list('incidents');
  return api.list(`incidents/${incident.id}/timeline`);
}

/** As mail programs and their scanners do before anybody has read the mail. */
async function opensWithoutEffect(pager: InProcess, link: string): Promise<void> {
  const before = [await pager.api.list('incidents'), await timelineOf(pager)];
  for (const method of ['GET', 'HEAD', 'GET']) {
    const { status, body } = await request(link, { method });
    assert.equal(status, 200);
    if (method === 'GET') assert.match(body, /<form method="post"><button type="submit"/);
  }
  assert.deepEqual([await pager.api.list('incidents'), await timelineOf(pager)], before);
}
