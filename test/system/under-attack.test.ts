// What a stranger, or one tenant, may do to hold up everybody's pages.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { createTransport } from 'nodemailer';
import { testDatabase } from '../database.ts';
import { hostileMails, hostileSubject } from '../hostile-mails.ts';
import { restlessLayers } from '../restless-layers.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { startChatServer, startMailServer } from './notice-servers.ts';
import { createInstallation, mailTo } from './server-process.ts';
import { systemPostgres } from './system-postgres.ts';

const world = new AsyncDisposableStack();
after(() => world.disposeAsync());
const database = world.use(
  await testDatabase({ server: await systemPostgres(), migrations: 'none' }),
);
const mail = world.use(await startMailServer());
const installation = world.use(
  await createInstallation({
    ...mailTo(mail),
    PAGER_DATABASE_URL: database.url,
    PAGER_ALLOW_NETWORKS: '127.0.0.0/8',
  }),
);
const server = await installation.start();
const [integration] = await server.api.list('integrations');

const metrics = async () => (await fetch(`${server.url}/metrics`)).text();

async function sendMail(raw: string): Promise<string> {
  const transport = createTransport({ host: '127.0.0.1', port: server.mailPort, ignoreTLS: true });
  const envelope = { from: 'tool@monitor.test', to: integration.email_address };
  const { response } = await transport.sendMail({ raw, envelope });
  transport.close();
  return response;
}

/** So many that they are being read for a while. */
const hostile = () => Object.values(hostileMails).map((raw) => sendMail(raw));
const MAILS_BEGUN =
  /^pager_worker_tasks(?:\{pool="mail",state="running"\}|_total\{pool="mail".*\}) (\d+)$/gm;
/** How many mails are being read, or were. */
const mailsBegun = async () =>
  [...(await metrics()).matchAll(MAILS_BEGUN)].reduce((sum, [, count]) => sum + Number(count), 0);

test('mails that take long page, and an event pages meanwhile', async () => {
  const sent = hostile();
  await eventually('they are being read', async () => (await mailsBegun()) > 0);
  const { status } = await postJson(integration.webhook_url, { title: 'meanwhile' });
  assert.equal(status, 202);
  await mail.arrival('the page of the event', ({ subject }) => subject.includes('meanwhile'));
  for (const answer of await Promise.all(sent)) assert.match(answer, /^250/);
  await mail.arrival('the page of a mail', ({ subject }) => subject.includes(hostileSubject));
  assert.match(
    await metrics(),
    /pager_worker_tasks_total\{pool="mail",task="readMessage".*\} [1-9]/,
  );
});

test('however many receivers hang, the next page goes out', async () => {
  await using chat = await startChatServer('silent');
  const hanging = 160;
  const [service] = await server.api.list('services');
  const targets = Array.from({ length: hanging }, (_, n) => ({
    via: 'slack',
    webhook_url: `${chat.url}/${n}`,
  }));
  const policy = await server.api.create('escalation-policies', {
    name: 'x',
    steps: [{ targets }],
  });
  const { webhook_url } = await server.api.create('integrations', {
    slug: 'webhook',
    service_id: service.id,
    escalation_policy_id: policy.id,
  });
  await postJson(webhook_url, { title: 'to nobody who answers' });
  await eventually('all of them hang', () => chat.messages.length === hanging);
  await postJson(integration.webhook_url, { title: 'the next' });
  await mail.arrival('the next page', ({ subject }) => subject.includes('the next'));
  const [, inFlight] = /^pager_notices_in_flight (\d+)$/m.exec(await metrics()) ?? [];
  assert.ok(Number(inFlight) >= hanging, `${inFlight} are under way`);
});

test('while one key has more computed than there are threads, an event pages', async () => {
  const [person] = await server.api.list('users');
  const fields = { name: 'restless', layers: restlessLayers(person.id) };
  const { id } = await server.api.create('on-calls', fields);
  const requests = Array.from({ length: 25 }, () =>
    server.api.send(`GET /on-calls/${id}/coverage`),
  );
  await eventually('they wait for a thread', async () =>
    /pager_worker_tasks\{pool="computations",state="waiting"\} [1-9]/.test(await metrics()),
  );
  const { status } = await postJson(integration.webhook_url, { title: 'among computations' });
  assert.equal(status, 202);
  await mail.arrival('the page', ({ subject }) => subject.includes('among computations'));
  const statuses = (await Promise.all(requests)).map((answer) => answer.status);
  assert.deepEqual([...new Set(statuses)].sort(), [200, 429]);
});

test('while one key tries out whatever it may at once, an event pages', async () => {
  const condition = { type: 'incidentDetails', key: 'text', comparator: 'matches', text: 'x+y$' };
  const condition_groups = [{ conditions: [condition] }];
  const rules = Array.from({ length: 200 }, (_, n) => ({
    name: `Rule ${n}`,
    condition_groups,
    actions: [{ type: 'acknowledgeIncident' }],
  }));
  const body = Array.from({ length: 200 }, (_, n) => ({ title: `a ${n}`, body: { text: 'x' } }));
  const { id: integration_id } = integration;
  const everything: Readonly<Record<string, object>> = {
    'POST /simulate': { integration_id, event: { body }, configuration: { rules } },
    'POST /alert-rules/replay': { rules, days: 30 },
    'POST /alert-rules/test': { rule: rules[0], event: { integration_id, body } },
  };
  for (const [request, about] of Object.entries(everything))
    assert.equal((await server.api.send(request, about)).status, 200, request);
  const done = await metrics();
  for (const body of [
    ...['pool="computations",task="simulation"', 'pool="replays",task="replay"'],
    'pool="computations",task="ruleTest"',
  ])
    assert.ok(done.includes(`pager_worker_tasks_total{${body},outcome="done"} 1`), body);
  const requests = Object.entries(everything).flatMap(([request, about]) =>
    Array.from({ length: 25 }, () => server.api.send(request, about)),
  );
  const { status } = await postJson(integration.webhook_url, { title: 'among stories' });
  assert.equal(status, 202);
  await mail.arrival('the page', ({ subject }) => subject.includes('among stories'));
  const statuses = (await Promise.all(requests)).map((answer) => answer.status);
  for (const one of statuses) assert.ok(one === 200 || one === 429, String(one));
});

test('what nobody waits for any more is not computed', async () => {
  const [person] = await server.api.list('users');
  const fields = { name: 'left', layers: restlessLayers(person.id) };
  const { id } = await server.api.create('on-calls', fields);
  const leaving = new AbortController();
  const { signal } = leaving;
  const headers = { 'x-api-key': server.apiKey };
  const requests = Array.from({ length: 10 }, () =>
    fetch(`${server.url}/api/v1/on-calls/${id}/coverage`, { headers, signal }),
  );
  await eventually('some wait for a thread', async () =>
    /pager_worker_tasks\{pool="computations",state="waiting"\} [1-9]/.test(await metrics()),
  );
  leaving.abort();
  await Promise.allSettled(requests);
  await eventually('all are ended', async () =>
    (await metrics()).includes('pager_worker_tasks{pool="computations",state="waiting"} 0'),
  );
  assert.match(await metrics(), /pager_worker_tasks_total\{.*outcome="gone"\} [1-9]/);
});

test('while one key sends bodies of nothing but mistakes, an event pages', async () => {
  const fields = Array.from({ length: 300_000 }, (_, n) => [`field${n}`, 1] as const);
  const body = Object.fromEntries(fields);
  const sent = Array.from({ length: 12 }, () => server.api.send('POST /escalation-policies', body));
  const { status } = await postJson(integration.webhook_url, { title: 'among bodies' });
  assert.equal(status, 202);
  await mail.arrival('the page', ({ subject }) => subject.includes('among bodies'));
  const statuses = (await Promise.all(sent)).map((answer) => answer.status);
  // On a slow machine, this one sends them too slowly.
  for (const one of statuses) assert.ok([408, 422, 429].includes(one), String(one));
  assert.match(await metrics(), /pager_worker_tasks_total\{.*task="body".*\} [1-9]/);
});

test('it stops in time while all of that goes on', async () => {
  const { port } = new URL(server.url);
  const unfinished = 'POST /hooks/x/y HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{';
  const strangers = [
    ...Array.from({ length: 20 }, () => connect(Number(port), '127.0.0.1')),
    ...Array.from({ length: 20 }, () => connect(server.mailPort, '127.0.0.1')),
  ];
  for (const socket of strangers) socket.on('error', () => undefined).write(unfinished);
  const before = await mailsBegun();
  const sent = Promise.allSettled(hostile());
  await eventually('mails are being read', async () => (await mailsBegun()) > before);
  assert.equal(await server.stop(), 0, server.output());
  await sent;
  for (const socket of strangers) socket.destroy();
});
