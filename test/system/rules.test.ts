// A rule is tried, saved, and changes what a real Alertmanager sends; a receiver that knows nothing
// of us but its secret verifies what it is told.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { anyDatabase } from '../database.ts';
import { skipped } from '../skipped.ts';
import { isInstalled, startAlertmanager } from './alertmanager-process.ts';
import { eventually } from './eventually.ts';
import { type InProcess, startInProcess } from './in-process.ts';
import { startMailServer } from './notice-servers.ts';
import { mailTo } from './server-process.ts';

const labels = { alertname: 'DiskFull', instance: 'db-1', severity: 'critical' };

test('a rule that was tried changes a real alert, and a verified webhook tells of it', async (t) => {
  if (!(await isInstalled()))
    return t.skip(skipped('Alertmanager', 'apt-get install prometheus-alertmanager'));
  await using mail = await startMailServer();
  await using tickets = await startTickets();
  const networks = { PAGER_ALLOW_NETWORKS: '127.0.0.0/8' };
  await using pager = await startInProcess(await anyDatabase(), { ...mailTo(mail), ...networks });
  const { api } = pager;
  const { integration, webhook } = await seedRules(pager, tickets.url);
  const secrets = await api.send(`GET /outbound-webhooks/${webhook.id}/secrets`);
  tickets.secret = secrets.body.data[0].secret;
  await using alertmanager = await startAlertmanager(integration.webhook_url);

  await alertmanager.raise(labels, { summary: 'The disk of db-1 is full' });
  await mail.arrival('the page', ({ to }) => to === 'owner@example.test');
  await alertmanager.resolve(labels);
  const past = await eventually('both are in the log', async () => {
    const events = await api.list(`integrations/${integration.id}/events`);
    const isOver = events.some(({ outcome }) => outcome === 'resolved');
    return isOver && events.find(({ outcome }) => outcome === 'opened');
  });

  const rule = {
    name: 'Databases',
    condition_groups: [
      { conditions: [{ type: 'incidentMessage', comparator: 'contains', text: 'DB-1' }] },
    ],
    actions: [
      { type: 'priority', priority: 'p1' },
      { type: 'outboundWebhook', outbound_webhook_id: webhook.id },
    ],
  };
  const tried = await api.send('POST /alert-rules/test', { rule, event_id: past.id });
  assert.equal(tried.status, 200, JSON.stringify(tried.body));
  assert.match(JSON.stringify(tried.body), /Changes the priority from none to P1/);
  assert.deepEqual(tickets.calls, [], 'trying tells nobody');

  await api.create('alert-rules', rule);
  await alertmanager.raise(labels, { summary: 'The disk of db-1 is full again' });
  const calls = await eventually('the ticket system is told', () => tickets.calls[0]);
  assert.equal(calls.event_type, 'incident_triggered');
  assert.equal(calls.incident.priority, 'p1');
  assert.equal(calls.incident.service.name, 'Database');
  const incidents = await api.list('incidents');
  const incident = incidents.find(({ status }) => status === 'triggered');
  assert.equal(incident.priority, 'p1');
  const timeline = await api.list(`incidents/${incident.id}/timeline`);
  const texts = timeline.map((entry) => entry.text).join('\n');
  assert.match(texts, /The rule Databases set the priority to P1/);
  await eventually('its answer is on the timeline', async () => {
    const entries = await api.list(`incidents/${incident.id}/timeline`);
    return entries.some((entry) => /webhook.*Tickets.*200/i.test(entry.text));
  });
});

async function seedRules({ api }: InProcess, url: string) {
  const [owner] = await api.list('users');
  const service = await api.create('services', { name: 'Database' });
  const steps = [{ targets: [{ via: 'email', user_id: owner.id }] }];
  const policy = await api.create('escalation-policies', { name: 'Owner', steps });
  const integration = await api.create('integrations', {
    slug: 'prometheus',
    service_id: service.id,
    escalation_policy_id: policy.id,
  });
  const webhook = await api.create('outbound-webhooks', { name: 'Tickets', url, method: 'POST' });
  return { integration, webhook };
}

/** Refuses what the library does not verify. */
async function startTickets() {
  // biome-ignore lint/suspicious/noExplicitAny: what it is told is looked into by the test.
  const calls: any[] = [];
  const tickets = { calls, secret: '', url: '' };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    try {
      calls.push(new Webhook(tickets.secret).verify(body, headersOf(request)));
      response.end('noted');
    } catch {
      response.writeHead(401).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  tickets.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const close = () => new Promise<void>((done) => server.close(() => done()));
  return Object.assign(tickets, { [Symbol.asyncDispose]: close });
}

const headersOf = ({ headers }: IncomingMessage) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
