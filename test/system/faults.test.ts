// A server reports what fails alone, and does its chores beside its work.
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
