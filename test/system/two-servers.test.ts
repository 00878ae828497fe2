// Two servers on one database wake each other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase, testDatabase } from '../database.ts';
import { postJson, request } from './api-client.ts';
import { eventually } from './eventually.ts';
import { type InProcess, startInProcess } from './in-process.ts';

async function wakeUpsHeard({ url }: InProcess): Promise<number> {
  const metrics = await request(`${url}/metrics`);
  return Number(/^pager_wake_ups_received_total (\d+)$/m.exec(metrics.body)?.[1]);
}

test('an event that one server accepts wakes the other', async () => {
  const server = await anyDatabase();
  await using database = await testDatabase({ server, migrations: 'none' });
  const settings = { PAGER_SECRET_KEY: 'k'.repeat(40) };
  await using one = await startInProcess(database, settings);
  await using two = await startInProcess(database, settings);
  const [integration] = await one.api.list('integrations');
  const before = await wakeUpsHeard(two);
  const path = new URL(integration.webhook_url).pathname;
  const taken = await postJson(`${one.url}${path}push-events`, { title: 'disk' });
  assert.equal(taken.status, 202);
  await eventually('the other hears of it', async () => (await wakeUpsHeard(two)) > before);
});
