// Slow requests of the API wait among themselves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { postJson, request } from './api-client.ts';
import { eventually } from './eventually.ts';
import { type InProcess, startInProcess } from './in-process.ts';
import { startMailServer } from './notice-servers.ts';
import { mailTo } from './server-process.ts';

const lists = 12;
const connectionsOfApi = 8;

test('while lists hold every connection of the API, an event is paged and acknowledged', async () => {
  await using mail = await startMailServer();
  const limits = { apiMillisecondsMax: 600_000 };
  await using pager = await startInProcess(await anyDatabase(), mailTo(mail), limits);
  const [integration] = await pager.api.list('integrations');
  const held = await whileLocked(pager, async () => {
    const answers = Array.from({ length: lists }, () => pager.api.send('GET /audit-log'));
    await eventually('all connections of the API wait', async () => {
      const waiting = await pager.sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      return waiting.length === connectionsOfApi;
    });
    const taken = await postJson(`${integration.webhook_url}push-events`, { title: 'disk' });
    assert.equal(taken.status, 202, JSON.stringify(taken.body));
    const page = await mail.arrival('the page', ({ subject }) => subject.includes('disk'));
    const link = /https?:\/\/\S+\/act\/\S+/.exec(page.text)?.[0] ?? '';
    assert.equal((await request(link, { method: 'POST' })).status, 200, link);
    assert.equal((await request(`${pager.url}/readyz`)).status, 200);
    return answers;
  });
  const statuses = (await Promise.all(held)).map(({ status }) => status);
  assert.deepEqual(new Set(statuses), new Set([200]));
  const [incident] = await pager.api.list('incidents');
  assert.equal(incident.status, 'acknowledged');
});

test('a request that takes the database too long is told so', async () => {
  const limits = { apiMillisecondsMax: 2_000 };
  await using pager = await startInProcess(await anyDatabase(), {}, limits);
  const refused = await whileLocked(pager, () => pager.api.send('GET /audit-log'));
  assert.deepEqual([refused.status, refused.body.error], [503, 'query_timeout']);
});

/** Nobody reads the audit log meanwhile. */
async function whileLocked<T>({ sql }: InProcess, work: () => Promise<T>): Promise<T> {
  let done: { readonly of: T } | undefined;
  await sql.begin(async (tx) => {
    await tx`set local idle_in_transaction_session_timeout = 0`;
    await tx`lock table audit_log in access exclusive mode`;
    done = { of: await work() };
  });
  if (done === undefined) throw new Error('the work was not begun');
  return done.of;
}
