// A webhook that fails for three days on the real server, until its team's admin reads of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { eventually } from './eventually.ts';
import { startInProcess } from './in-process.ts';
import { startMailServer } from './notice-servers.ts';
import { mailTo } from './server-process.ts';

test('of a webhook that fails for three days its admin is told by mail', async () => {
  await using mail = await startMailServer();
  await using server = await startInProcess(await anyDatabase(), {
    ...mailTo(mail),
    PAGER_ALLOW_NETWORKS: '127.0.0.0/8',
  });
  const { api } = server;
  const url = 'http://127.0.0.1:1/';
  const { id } = await api.create('outbound-webhooks', { name: 'Tickets', url, method: 'POST' });
  const { status } = await api.send(`POST /outbound-webhooks/${id}/test`);
  assert.equal(status, 202);
  await eventually('the call has failed', async () => {
    const [delivery] = await api.list(`outbound-webhooks/${id}/deliveries`);
    return delivery?.tries[0]?.outcome === 'retry';
  });
  await server.pass({ minutes: 72 * 60 });
  const { subject } = await mail.arrival('the warning', ({ subject }) => /failing/.test(subject));
  assert.equal(subject, 'An outbound webhook has been failing for 3 days: Tickets');
});
