// The link in e-mails about shifts that turns them off.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { postJson } from './api-client.ts';
import { startInProcess } from './in-process.ts';
import { startMailServer } from './notice-servers.ts';
import { mailTo } from './server-process.ts';

const ada = 'ada@example.test';

test('one request of a mail program turns off e-mails about shifts, and no page', async () => {
  await using mail = await startMailServer();
  await using pager = await startInProcess(await anyDatabase(), mailTo(mail));
  const { api, sql } = pager;
  const person = await api.create('users', {
    email: ada,
    first_name: 'Ada',
    last_name: 'Example',
    role: 'responder',
  });
  const schedule = await api.create('on-calls', {
    name: 'Payments',
    layers: [{ users: [person.id], rotation: { length: 1, unit: 'days', handoff: '08:00' } }],
  });
  const [policy] = await api.list('escalation-policies');
  const steps = [{ targets: [{ via: 'email', user_id: person.id }] }];
  await api.send(`PATCH /escalation-policies/${policy.id}`, { steps });
  const [integration] = await api.list('integrations');
  const page = async (title: string) => {
    await postJson(integration.webhook_url, { title });
    return mail.arrival(title, ({ to, subject }) => to === ada && subject.includes(title));
  };
  const first = await page('Disk full');
  assert.equal(first.headers['list-unsubscribe'], undefined);
  const start = '2026-11-21T08:00:00Z';
  const end = Temporal.Now.instant().add({ hours: 8 }).toString();
  const story = {
    schedule: { id: schedule.id, name: 'Payments', timezone: 'Europe/Berlin' },
    user: { id: person.id, first_name: 'Ada', last_name: 'Example', email: ada },
    shift: { id: 'f'.repeat(24), start, end },
    taken_off: false,
    other: null,
    changes: [],
  };
  await sql`
    insert into outbox (organization_id, key, kind, channel, recipient_key, notice, cycle, step,
      user_id, rank, state, attempts, created_at, wake_at)
    select organization_id, 'shift/1', 'shift_start', channel, recipient_key,
      (notice::jsonb || ${sql.json({ story } as never)}::jsonb)::json, 0, -1, user_id, 2,
      'pending', 0, now(), now()
    from outbox where kind = 'page' and user_id = ${person.id}`;
  await pager.pass({ minutes: 1 });
  const notice = await mail.arrival('the shift', ({ subject }) => subject.includes('on call now'));
  const [, link = ''] = /^<(.+)>$/.exec(notice.headers['list-unsubscribe'] ?? '') ?? [];
  // One click is for links that TLS protects.
  assert.equal(notice.headers['list-unsubscribe-post'], undefined);

  const settings = async () => (await api.send(`GET /users/${person.id}/notifications`)).body;
  assert.equal((await fetch(link)).status, 200);
  assert.deepEqual(await settings(), {}, 'opening it changes nothing');
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  for (const _ of [1, 2]) assert.equal((await fetch(link, { method: 'POST', body })).status, 200);
  assert.deepEqual(await settings(), { shift_start: [], shift_end: [], shift_change: [] });
  const forged = link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  assert.equal((await fetch(forged, { method: 'POST', body })).status, 404);
  await page('Still paged');
});
