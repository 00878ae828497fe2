// Answers say what they leave out because it was removed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSecrets } from '../../test/api.ts';
import { anyDatabase } from '../../test/database.ts';
import { noon } from '../../test/incident-life.ts';
import { noFaults } from '../../test/no-faults.ts';
import { startWebhookCalls } from '../../test/webhook-calls.ts';
import { startWebhookServer } from '../../test/webhook-server.ts';
import { createRetention } from '../storage/retention/retention.ts';

const server = await anyDatabase();

test('what is no longer kept of an incident, of a webhook and of the log is told where it was', async () => {
  await using webhookServer = await startWebhookServer((_, response) => response.end());
  await using calls = await startWebhookCalls(server);
  const { api, key, sql, world } = calls;
  const admin = world.caller({ role: 'admin' });
  const get = async (path: string) => (await api.send(admin, `GET ${path}`)).body;
  const days = { outbox_days: 30, timelines_days: 30, audit_log_days: 30 };
  await api.send(admin, 'PATCH /organization', { body: { retention: days } });
  const hook = await calls.webhook({ url: webhookServer.url });
  const incident = await calls.trigger('disk full');
  await calls.call(incident, hook);
  await calls.send();
  const [{ id }] = await calls.deliveries(hook);
  await api.send(key, `POST /incidents/${incident}/resolve`, { body: {} });
  await calls.send();
  const logs = {
    timeline: `/incidents/${incident}/timeline`,
    notices: `/incidents/${incident}/notices`,
    deliveries: `/outbound-webhooks/${hook}/deliveries`,
    audit: '/audit-log?record_type=organization',
  };
  const before = await get(logs.timeline);
  for (const path of Object.values(logs)) {
    const { data, removed, removed_at, removed_before } = await get(path);
    assert.ok(data.length > 0, path);
    assert.deepEqual([removed, removed_at, removed_before], [undefined, undefined, undefined]);
  }
  const remover = createRetention({
    sql,
    secrets: testSecrets,
    eventsDays: null,
    faults: noFaults,
  });
  const now = noon.add({ hours: 24 * 40 });
  while (!(await remover.run(now)).isAll);
  const at = '2026-04-11T12:00:00.000Z';
  const removed_before = '2026-03-12T12:00:00.000Z';
  const end = { data: [], next_cursor: null };
  const removed = { entries: before.data.length, at };
  assert.deepEqual(await get(logs.timeline), { ...end, removed });
  assert.deepEqual(await get(logs.notices), { data: [], removed_at: at });
  assert.deepEqual(await get(logs.deliveries), { ...end, removed_before });
  assert.deepEqual(await get(logs.audit), { ...end, removed_before });
  const gone = await api.send(admin, `GET ${logs.deliveries}/${id}`);
  assert.deepEqual([gone.status, gone.body.error], [404, 'not_found']);
  assert.match(
    gone.body.message,
    /Deliveries that ended before 2026-03-12T12:00:00.000Z have been removed/,
  );
});
