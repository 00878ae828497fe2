import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRecordsApi as setting } from '../../../test/records-api.ts';

const url = 'https://hooks.test/very-secret';

test('the organization says who is told of its shifts, and is answered as it said', async () => {
  await using at = await setting();
  const { api, world } = at;
  const admin = world.caller({ role: 'admin' });
  assert.equal('shift_notifications' in (await api.send(admin, 'GET /organization')).body, false);
  const ofAnyTeam = await at.make('outbound-webhooks', { name: 'w', url, team_id: at.web });
  const shift_notifications = {
    discord: [{ webhook_url: url }],
    slack: [{ channel_id: 'C1', mention: '@here' }],
    outbound_webhook_ids: [ofAnyTeam],
  };
  const body = { shift_notifications };
  const patched = await api.send(admin, 'PATCH /organization', { body });
  assert.deepEqual([patched.status, patched.body.version], [200, 2]);
  const read = await api.send(admin, 'GET /organization');
  assert.equal(JSON.stringify(read.body.shift_notifications), JSON.stringify(shift_notifications));
  const less = { shift_notifications: { slack: null } };
  const { slack: _slack, ...left } = shift_notifications;
  const merged = await api.send(admin, 'PATCH /organization', { body: less });
  assert.deepEqual(merged.body.shift_notifications, left);
  const none = await api.send(admin, 'PATCH /organization', {
    body: { shift_notifications: null },
  });
  assert.equal('shift_notifications' in none.body, false);
});

test('a replacement of the organization forgets what it does not name, and needs the rest', async () => {
  await using at = await setting();
  const { api, world } = at;
  const admin = world.caller({ role: 'admin' });
  const put = (body: unknown, headers = {}) =>
    api.send(admin, 'PUT /organization', { body, headers });
  await api.send(admin, 'PATCH /organization', {
    body: { monthly_alert_limit: 5, shift_notifications: { slack: [{ channel_id: 'C1' }] } },
  });
  const read = (await api.send(admin, 'GET /organization')).body;
  const back = await put(read);
  assert.deepEqual(
    { ...back.body, updated_at: '' },
    { ...read, version: read.version + 1, updated_at: '' },
  );
  const body = { name: 'New', timezone: 'Europe/Berlin' };
  const stale = await put(body, { 'if-match': String(read.version) });
  assert.deepEqual([stale.status, stale.body.error], [409, 'stale_version']);
  const { status, body: now } = await put(body);
  const { id, created_at, updated_at, ...fields } = now;
  const filled = { language: 'en', version: read.version + 2 };
  assert.deepEqual([status, fields], [200, { ...body, ...filled }]);
  for (const [wrong, path] of [
    [{ name: 'New' }, 'timezone'],
    [{ ...body, language: 'it' }, 'language'],
    [[], ''],
    [null, ''],
  ] as const) {
    const answer = await put(wrong);
    assert.deepEqual([answer.status, answer.body.issues?.[0]?.path], [422, path]);
  }
});

test('everything wrong with the organization is told at once, each at its path', async () => {
  await using at = await setting();
  const admin = at.world.caller({ role: 'admin' });
  const wrong = async (body: object) => {
    const answer = await at.api.send(admin, 'PATCH /organization', { body });
    assert.equal(answer.status, 422, JSON.stringify(answer.body));
    return answer.body.issues.map(({ path }: { path: string }) => path);
  };
  const shift_notifications = { slack: [{ webhook_url: 'nowhere' }], fax: [] };
  assert.deepEqual(await wrong({ timezone: 'Moon', shift_notifications }), [
    'timezone',
    'shift_notifications.slack[0].webhook_url',
    'shift_notifications.fax',
  ]);
  const archived = await at.make('outbound-webhooks', { name: 'a', url });
  await at.api.send(at.key, `DELETE /outbound-webhooks/${archived}`);
  const outbound_webhook_ids = [archived, 'e'.repeat(24)];
  assert.deepEqual(await wrong({ shift_notifications: { slack: [{}], outbound_webhook_ids } }), [
    'shift_notifications.slack[0].channel_id',
    'shift_notifications.outbound_webhook_ids[0]',
    'shift_notifications.outbound_webhook_ids[1]',
  ]);
});

test('the organization says how long it keeps what grows, in whole days and within bounds', async () => {
  await using at = await setting();
  const { api, world } = at;
  const admin = world.caller({ role: 'admin' });
  const patch = (retention: unknown) =>
    api.send(admin, 'PATCH /organization', { body: { retention } });
  assert.equal('retention' in (await api.send(admin, 'GET /organization')).body, false);
  await patch({ events_days: 30, timelines_days: 365 });
  const { body } = await patch({ timelines_days: null, audit_log_days: 400 });
  assert.deepEqual(body.retention, { events_days: 30, audit_log_days: 400 });
  const { data } = (await api.send(admin, 'GET /audit-log')).body;
  assert.deepEqual(data[0].before.retention, { events_days: 30, timelines_days: 365 });
  const least = { events_days: 1, outbox_days: 7, timelines_days: 30, audit_log_days: 30 };
  for (const [name, days] of Object.entries(least)) {
    for (const wrong of [days - 1, 3_651, 30.5, '30']) {
      const answer = await patch({ [name]: wrong });
      const paths = answer.body.issues?.map(({ path }: { path: string }) => path);
      assert.deepEqual([answer.status, paths], [422, [`retention.${name}`]], `${wrong}`);
    }
    for (const right of [days, 3_650]) assert.equal((await patch({ [name]: right })).status, 200);
  }
  const put = { name: 'New', timezone: 'Etc/UTC' };
  const replaced = await api.send(admin, 'PUT /organization', { body: put });
  assert.equal('retention' in replaced.body, false);
});

test('a webhook that is archived later stays, with a warning that may be sent back', async () => {
  await using at = await setting();
  const admin = at.world.caller({ role: 'admin' });
  const id = await at.make('outbound-webhooks', { name: 'w', url });
  const body = { shift_notifications: { outbound_webhook_ids: [id] } };
  await at.api.send(admin, 'PATCH /organization', { body });
  await at.api.send(at.key, `DELETE /outbound-webhooks/${id}`);
  const renamed = await at.api.send(admin, 'PATCH /organization', { body: { name: 'New' } });
  const path = 'shift_notifications.outbound_webhook_ids[0]';
  assert.deepEqual(renamed.body.warnings, [`${path} refers to an archived outbound webhook.`]);
  const back = await at.api.send(admin, 'PATCH /organization', { body: renamed.body });
  assert.equal(back.status, 200);
});

test('the addresses of its chats are masked below manager, sealed at rest and not audited', async () => {
  await using at = await setting();
  const { api, world, sql } = at;
  const admin = world.caller({ role: 'admin' });
  const body = { shift_notifications: { msteams: [{ webhook_url: url }] } };
  await api.send(admin, 'PATCH /organization', { body });
  const seen = async (role: 'viewer' | 'responder' | 'manager') =>
    (await api.send(world.caller({ role }), 'GET /organization')).body.shift_notifications
      .msteams[0].webhook_url;
  assert.deepEqual(
    [await seen('viewer'), await seen('responder'), await seen('manager')],
    ['•••', '•••', url],
  );
  const [stored] = await sql`select shift_notifications from organizations`;
  assert.match(stored?.['shift_notifications'].msteams[0].webhook_url.sealed, /^v2:/);
  const [noted] = await sql`select after from audit_log where kind = 'organization'`;
  assert.deepEqual(noted?.['after'].shift_notifications, { msteams: [{ webhook_url: '•••' }] });
  const masked = { shift_notifications: { msteams: [{ webhook_url: '•••' }] } };
  assert.equal((await api.send(admin, 'PATCH /organization', { body: masked })).status, 422);
});
