import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRecordsApi } from '../../../test/records-api.ts';

const url = 'https://hooks.test/very-secret';

/** The records of an organization, with a schedule and a webhook of its first team. */
async function setting() {
  await using starting = new AsyncDisposableStack();
  const at = starting.use(await startRecordsApi());
  const layers = [{ users: [at.ada], rotation: { length: 1, unit: 'weeks' } }];
  const schedule = await at.make('on-calls', { name: 'o', layers });
  const webhook = await at.make('outbound-webhooks', { name: 'w', url: 'https://hooks.test/1' });
  const own = at.world.caller({ kind: 'session', id: at.ada, role: 'responder' });
  const held = starting.move();
  return {
    ...at,
    schedule,
    webhook,
    own,
    ofAda: `/users/${at.ada}/notifications`,
    ofSchedule: `/on-calls/${schedule}/notifications`,
    unset: { oncall_schedule_id: schedule },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

test('a person’s settings are answered as sent, empty lists too; never set, they are empty', async () => {
  await using at = await setting();
  const { api, own, ofAda } = at;
  assert.deepEqual((await api.send(own, `GET ${ofAda}`)).body, {});
  const body = {
    shift_end: [],
    shift_start: ['sms', 'email'],
    schedules: [{ oncall_schedule_id: at.schedule, shift_start: ['phone'] }],
  };
  const put = await api.send(own, `PUT ${ofAda}`, { body });
  assert.equal(put.status, 200);
  const read = await api.send(own, `GET ${ofAda}`);
  assert.equal(JSON.stringify(read.body), JSON.stringify(body));
  assert.deepEqual(put.body, body);
  await api.send(own, `PUT ${ofAda}`, { body: {} });
  assert.deepEqual((await api.send(own, `GET ${ofAda}`)).body, {});
});

test('a patch changes what it names, and null returns an event to its default', async () => {
  await using at = await setting();
  const { api, own, ofAda } = at;
  const body = { shift_start: ['sms'], shift_end: ['email'] };
  await api.send(own, `PUT ${ofAda}`, { body });
  const patch = { shift_start: null, shift_change: [] };
  const patched = await api.send(own, `PATCH ${ofAda}`, { body: patch });
  assert.deepEqual(patched.body, { shift_end: ['email'], shift_change: [] });
});

test('of many patches at once none is lost', async () => {
  await using at = await setting();
  const { api, own, ofAda } = at;
  const bodies = [{ shift_start: [] }, { shift_end: [] }, { shift_change: [] }, { schedules: [] }];
  // The connections are open before, so that the writes do meet.
  await Promise.all(bodies.map(() => api.send(own, `GET ${ofAda}`)));
  await Promise.all(bodies.map((body) => api.send(own, `PATCH ${ofAda}`, { body })));
  const { body } = await api.send(own, `GET ${ofAda}`);
  assert.deepEqual(body, Object.assign({}, ...bodies));
});

test('everything wrong with a person’s settings is told at once, each at its path', async () => {
  await using at = await setting();
  const { api, own, ofAda } = at;
  const wrong = async (body: object) => {
    const answer = await api.send(own, `PUT ${ofAda}`, { body });
    assert.equal(answer.status, 422, JSON.stringify(answer.body));
    return answer.body.issues.map(({ path }: { path: string }) => path);
  };
  const shapes = { shift_start: ['fax'], shift_end: ['sms', 'sms'], volume: 11 };
  assert.deepEqual(await wrong(shapes), ['shift_start[0]', 'shift_end[1]', 'volume']);
  const unknown = { oncall_schedule_id: 'e'.repeat(24) };
  const known = { oncall_schedule_id: at.schedule };
  assert.deepEqual(await wrong({ schedules: [unknown, known, known] }), [
    'schedules[2].oncall_schedule_id',
    'schedules[0].oncall_schedule_id',
  ]);
  const loud = { oncall_schedule_id: at.schedule, shift_start: ['fax'] };
  assert.deepEqual(await wrong({ schedules: [loud, unknown, known, known] }), [
    'schedules[0].shift_start[0]',
    'schedules[3].oncall_schedule_id',
    'schedules[1].oncall_schedule_id',
  ]);
  assert.deepEqual((await api.send(own, `GET ${ofAda}`)).body, {});
});

test('a schedule must be active when it is newly named; one that was stored only warns', async () => {
  await using at = await setting();
  const { api, own, ofAda, schedule } = at;
  const body = { schedules: [{ oncall_schedule_id: schedule, shift_end: ['email'] }] };
  await api.send(own, `PUT ${ofAda}`, { body });
  await api.send(at.key, `DELETE /on-calls/${schedule}`);
  const patched = await api.send(own, `PATCH ${ofAda}`, { body: { shift_end: [] } });
  const path = 'schedules[0].oncall_schedule_id';
  assert.deepEqual(
    [patched.status, patched.body.warnings],
    [200, [`${path} refers to an archived on-call schedule.`]],
  );
  assert.equal((await api.send(own, `PUT ${ofAda}`, { body: patched.body })).status, 200);
  await api.send(own, `PUT ${ofAda}`, { body: {} });
  const again = await api.send(own, `PUT ${ofAda}`, { body });
  assert.deepEqual([again.status, again.body.issues[0].path], [422, path]);
});

test('a person’s settings are for them and for admins; a viewer may read their own', async () => {
  await using at = await setting();
  const { api, world, ada, ofAda, own } = at;
  const admin = world.caller({ role: 'admin' });
  const viewer = world.caller({ kind: 'session', id: ada, role: 'viewer' });
  const stranger = world.caller({ kind: 'session', role: 'manager' });
  const confined = world.caller({ role: 'admin', teamIds: [at.ops] });
  const keyOfSameId = world.caller({ id: ada, role: 'responder' });
  const elsewhere = world.caller({ organizationId: 'f'.repeat(24), role: 'owner' });
  for (const [caller, read, write] of [
    [own, 200, 200],
    [admin, 200, 200],
    [viewer, 200, 403],
    [stranger, 403, 403],
    [confined, 403, 403],
    [keyOfSameId, 403, 403],
    [elsewhere, 404, 404],
  ] as const) {
    const message = `${caller.kind} ${caller.role}`;
    assert.equal((await api.send(caller, `GET ${ofAda}`)).status, read, message);
    for (const method of ['PUT', 'PATCH'])
      assert.equal(
        (await api.send(caller, `${method} ${ofAda}`, { body: {} })).status,
        write,
        message,
      );
  }
});

test('a schedule’s settings are answered as sent, by counter too, and leave its version', async () => {
  await using at = await setting();
  const { api, key, ofSchedule } = at;
  assert.deepEqual((await api.send(key, `GET ${ofSchedule}`)).body, at.unset);
  const body = {
    msteams: [],
    slack: [{ webhook_url: url, channel_name: '#ops', mention: '@here' }, { channel_id: 'C1' }],
    outbound_webhook_ids: [at.webhook],
  };
  const put = await api.send(key, `PUT ${ofSchedule}`, { body });
  assert.deepEqual([put.status, put.body], [200, { ...at.unset, ...body }]);
  const { counter, version } = (await api.send(key, `GET /on-calls/${at.schedule}`)).body;
  assert.equal(version, 1);
  const byCounter = await api.send(key, `GET /on-calls/${counter}/notifications`);
  assert.equal(JSON.stringify(byCounter.body), JSON.stringify(put.body));
  assert.equal((await api.send(key, `PUT ${ofSchedule}`, { body: put.body })).status, 200);
  const patch = { outbound_webhook_ids: null };
  const patched = await api.send(key, `PATCH ${ofSchedule}`, { body: patch });
  assert.deepEqual(patched.body, {
    ...at.unset,
    msteams: body.msteams,
    slack: body.slack,
  });
});

test('everything wrong with a schedule’s settings is told at once, each at its path', async () => {
  await using at = await setting();
  const { api, key, ofSchedule } = at;
  const wrong = async (body: object) => {
    const answer = await api.send(key, `PUT ${ofSchedule}`, { body });
    assert.equal(answer.status, 422, JSON.stringify(answer.body));
    return answer.body.issues.map(({ path }: { path: string }) => path);
  };
  const shapes = { slack: [{}], msteams: [{ webhook_url: 'nowhere' }], discord: [] };
  assert.deepEqual(await wrong(shapes), [
    'msteams[0].webhook_url',
    'discord',
    'slack[0].channel_id',
  ]);
  const channels = [{ channel_id: 7 }, {}, { channel_id: 'C' }, { channel_id: 'C' }];
  assert.deepEqual(await wrong({ slack: channels, outbound_webhook_ids: ['e'.repeat(24), 'x'] }), [
    'slack[0].channel_id',
    'outbound_webhook_ids[1]',
    'slack[1].channel_id',
    'slack[3]',
    'outbound_webhook_ids[0]',
  ]);
  const archived = await at.make('outbound-webhooks', { name: 'a', url });
  await api.send(key, `DELETE /outbound-webhooks/${archived}`);
  const foreign = await at.make('outbound-webhooks', { name: 'f', url, team_id: at.web });
  const ids = [at.webhook, archived, foreign, at.webhook];
  assert.deepEqual(await wrong({ slack: [{ channel_id: 'C', webhook_url: url }] }), [
    'slack[0].webhook_url',
  ]);
  assert.deepEqual(await wrong({ outbound_webhook_ids: ids }), [
    'outbound_webhook_ids[3]',
    'outbound_webhook_ids[1]',
    'outbound_webhook_ids[2]',
  ]);
  assert.deepEqual((await api.send(key, `GET ${ofSchedule}`)).body, at.unset);
});

test('a schedule’s settings are read by viewers and written by managers of its team', async () => {
  await using at = await setting();
  const { api, world, ofSchedule } = at;
  for (const [caller, read, write] of [
    [world.caller({ role: 'viewer' }), 200, 403],
    [world.caller({ role: 'responder' }), 200, 403],
    [world.caller({ role: 'manager', teamIds: [at.ops] }), 200, 200],
    [world.caller({ role: 'owner', teamIds: [at.web] }), 404, 404],
    [world.caller({ role: 'owner', organizationId: 'f'.repeat(24) }), 404, 404],
  ] as const) {
    assert.equal((await api.send(caller, `GET ${ofSchedule}`)).status, read, caller.role);
    for (const method of ['PUT', 'PATCH']) {
      const line = `${method} ${ofSchedule}`;
      assert.equal((await api.send(caller, line, { body: {} })).status, write, caller.role);
    }
  }
});

test('an archived schedule keeps its settings as they are', async () => {
  await using at = await setting();
  const { api, key, ofSchedule } = at;
  const body = { outbound_webhook_ids: [at.webhook] };
  await api.send(key, `PUT ${ofSchedule}`, { body });
  await api.send(key, `DELETE /on-calls/${at.schedule}`);
  const late = await api.send(key, `PUT ${ofSchedule}`, { body: {} });
  assert.deepEqual([late.status, late.body.error], [409, 'archived']);
  const { archived_at, ...rest } = (await api.send(key, `GET ${ofSchedule}`)).body;
  assert.deepEqual([rest, typeof archived_at], [{ ...at.unset, ...body }, 'string']);
});

test('archiving a webhook names the schedules and the organization that still call it', async () => {
  await using at = await setting();
  const { api, key, webhook } = at;
  const settings = { outbound_webhook_ids: [webhook] };
  const admin = at.world.caller({ role: 'admin' });
  const body = { shift_notifications: settings };
  await api.send(key, `PUT ${at.ofSchedule}`, { body: settings });
  await api.send(admin, 'PATCH /organization', { body });
  const { warnings } = (await api.send(key, `DELETE /outbound-webhooks/${webhook}`)).body;
  assert.deepEqual(warnings, [
    `The on-call schedule "o" (${at.schedule}) still uses it.`,
    `The organization "Example" (${at.world.organizationId}) still uses it.`,
  ]);
});

test('a chat’s address is masked below manager, sealed at rest, and a mask is never stored', async () => {
  await using at = await setting();
  const { api, key, world, ofSchedule } = at;
  await api.send(key, `PUT ${ofSchedule}`, { body: { slack: [{ webhook_url: url }] } });
  const masked = await api.send(world.caller({ role: 'responder' }), `GET ${ofSchedule}`);
  assert.deepEqual(masked.body, { ...at.unset, slack: [{ webhook_url: '•••' }] });
  const back = await api.send(key, `PUT ${ofSchedule}`, { body: masked.body });
  assert.deepEqual([back.status, back.body.issues[0].path], [422, 'slack[0].webhook_url']);
  const [row] = await at.sql`select settings from schedule_notifications`;
  assert.match(row?.['settings'].slack[0].webhook_url.sealed, /^v2:/);
});

test('who changed which settings is in the audit log, without addresses', async () => {
  await using at = await setting();
  const { api, key, own, ada, schedule } = at;
  await api.send(key, `PUT ${at.ofSchedule}`, { body: { slack: [{ webhook_url: url }] } });
  await api.send(own, `PUT ${at.ofAda}`, { body: { shift_end: ['sms'] } });
  await api.send(own, `PATCH ${at.ofAda}`, { body: { shift_end: null } });
  const rows = await at.sql`
    select action, kind, record_id, before, after from audit_log
    where kind like '%notifications' order by id`;
  const slack = [{ webhook_url: '•••' }];
  const ofAda = { action: 'update', kind: 'user_notifications', record_id: ada };
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      {
        ...ofAda,
        kind: 'schedule_notifications',
        record_id: schedule,
        before: {},
        after: { slack },
      },
      { ...ofAda, before: {}, after: { shift_end: ['sms'] } },
      { ...ofAda, before: { shift_end: ['sms'] }, after: {} },
    ],
  );
});
