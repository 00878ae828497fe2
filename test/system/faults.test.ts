// A server reports what fails alone, does its chores beside its work, and limits guesses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { postJson, request } from './api-client.ts';
import { eventually } from './eventually.ts';
import { startInProcess } from './in-process.ts';
import { startMailServer } from './notice-servers.ts';
import { mailTo } from './server-process.ts';

test('a record that cannot be read is counted in the metrics, and admins are paged', async () => {
  await using mail = await startMailServer();
  await using pager = await startInProcess(await anyDatabase(), mailTo(mail));
  const [integration] = await pager.api.list('integrations');
  const { escalation_policy_id: policy } = integration;
  await pager.sql`update escalation_policies set steps = '{"v": 2}' where id = ${policy}`;
  const taken = await postJson(`${integration.webhook_url}push-events`, { title: 'disk' });
  assert.equal(taken.status, 202, JSON.stringify(taken.body));
  await mail.arrival('the page of the admins', ({ subject }) => subject.includes('disk'));
  const metrics = await request(`${pager.url}/metrics`);
  assert.match(metrics.body, /^pager_faults_total\{of="record"\} [1-9]/m);
});

test('chores are done on connections that the engine does not need', async () => {
  await using pager = await startInProcess(await anyDatabase(), {});
  await eventually('statistics are looked at', async () => {
    const connections = await pager.sql<{ name: string }[]>`
      select application_name as name from pg_stat_activity
      where datname = current_database() and query like '%pg_stat_get_live_tuples%'
        and pid <> pg_backend_pid()`;
    assert.ok(connections.every(({ name }) => name === 'pager housekeeping'));
    return connections.length > 0;
  });
});

test('tokens that are guessed are limited at the hooks of a server', async () => {
  await using pager = await startInProcess(await anyDatabase(), {});
  const guess = async () =>
    (await postJson(`${pager.url}/hooks/${'0'.repeat(40)}/push-events`, { title: 'disk' })).status;
  await eventually('a guess is refused', async () => {
    const statuses = new Set(await Promise.all(Array.from({ length: 100 }, guess)));
    assert.ok([...statuses].every((status) => status === 404 || status === 429));
    return statuses.has(429);
  });
});
