// The canary of a whole server: an address of the operator's is called while its page arrives.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { startWebhookServer } from '../webhook-server.ts';
import { postJson, request } from './api-client.ts';
import { eventually } from './eventually.ts';
import { type InProcess, startInProcess } from './in-process.ts';

const server = await anyDatabase();

async function metric(pager: InProcess, name: string): Promise<number> {
  const { body } = await request(`${pager.url}/metrics`);
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1]);
}

test('the heartbeat is called every minute, and nobody sees why', async () => {
  await using heartbeats = await startWebhookServer((_, response) => response.end('OK'));
  const settings = { PAGER_HEARTBEAT_URL: `${heartbeats.url}/ping/secret` };
  await using pager = await startInProcess(server, settings);
  const { body: quota } = await pager.api.send('GET /quota');
  const audited = await pager.api.list('audit-log');
  for (const calls of [1, 2]) {
    await pager.pass({ minutes: 1 });
    await eventually('the heartbeat', () => heartbeats.received.length === calls);
  }
  assert.deepEqual(
    heartbeats.received.map(({ method, path }) => `${method} ${path}`),
    ['GET /ping/secret', 'GET /ping/secret'],
  );
  assert.equal(await metric(pager, 'pager_canary_seconds_count'), 2);
  assert.ok((await metric(pager, 'pager_canary_last_success_timestamp_seconds')) > 0);
  assert.equal(await metric(pager, 'pager_canary_failures_total'), 0);

  assert.deepEqual(await pager.api.list('incidents'), []);
  assert.deepEqual(await pager.api.list('audit-log'), audited);
  assert.deepEqual((await pager.api.send('GET /quota')).body, quota);
  const [integration] = await pager.api.list('integrations');
  const { body: event } = await postJson(integration.webhook_url, { title: 'Disk full' });
  assert.equal(event.alerts[0].incident, 1);
});

test('the heartbeat stops while the canary fails, and goes on after it', async () => {
  await using heartbeats = await startWebhookServer((_, response) => response.end('OK'));
  await using pager = await startInProcess(server, { PAGER_HEARTBEAT_URL: heartbeats.url });
  await pager.sql`update integrations set enabled = false where name = 'Canary'`;
  await pager.pass({ minutes: 1 });
  const failures = () => metric(pager, 'pager_canary_failures_total');
  await eventually('the failure', async () => (await failures()) === 1);
  assert.equal(heartbeats.received.length, 0);
  await pager.sql`update integrations set enabled = true where name = 'Canary'`;
  await pager.pass({ minutes: 1 });
  await eventually('the heartbeat', () => heartbeats.received.length === 1);
  assert.equal(await failures(), 1);
});

test('an address that refuses is counted, and nothing else suffers', async () => {
  await using heartbeats = await startWebhookServer((_, response) => response.writeHead(503).end());
  await using pager = await startInProcess(server, { PAGER_HEARTBEAT_URL: heartbeats.url });
  await pager.pass({ minutes: 1 });
  const failed = () => metric(pager, 'pager_heartbeat_failures_total');
  await eventually('the refusal', async () => (await failed()) === 1);
  assert.equal(await metric(pager, 'pager_canary_seconds_count'), 1);
});
