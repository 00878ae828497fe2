import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSecrets } from '../../../test/api.ts';
import { startRecordsApi } from '../../../test/records-api.ts';
import { seedOrganization } from '../../../test/world.ts';
import { silentLog } from '../../engine/log.ts';
import { accessLimits } from '../../limits/access.ts';
import { createIntegrationsByKey } from '../../storage/integrations/integrations-by-key.ts';

const key = 'R02ABCDEFGHIJKLMNOPQRSTUVWXYZ123';
const pagerduty = { kind: 'pagerduty', key };

async function setting() {
  const at = await startRecordsApi();
  const { api, sql } = at;
  const caller = at.world.caller({ role: 'admin', defaultTeamId: at.ops });
  const service = await at.make('services', { name: 's' });
  const policy = await at.policy();
  const integration = () => at.integration(service, policy);
  const id = await integration();
  let now = Date.parse('2026-01-01T10:00:00Z');
  return {
    at,
    id,
    integration,
    path: `/integrations/${id}/adopted-keys`,
    send: (line: string, body?: object, headers = {}) =>
      api.send(caller, line, { ...(body && { body }), headers }),
    recognise: createIntegrationsByKey({
      sql,
      secrets: testSecrets,
      log: silentLog,
      nowMs: () => now,
    }),
    pass(ms: number) {
      now += ms;
    },
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

test('a key that is adopted stands for the integration until it is removed', async () => {
  await using s = await setting();
  assert.equal(await s.recognise(key), null);
  const { status, body } = await s.send(`POST ${s.path}`, pagerduty);
  assert.equal(status, 201);
  const { id, created_at, ...rest } = body;
  assert.match(created_at, /Z$/);
  assert.deepEqual(rest, { integration_id: s.id, kind: 'pagerduty', last4: 'Z123' });
  assert.equal((await s.recognise(key))?.integrationId, s.id);
  assert.equal(await s.recognise(key.toLowerCase()), null);
  const removed = await s.send(`DELETE ${s.path}/${id}`);
  assert.deepEqual([removed.status, removed.body], [200, { id }]);
  s.pass(5_000);
  assert.equal(await s.recognise(key), null);
  for (const line of [`DELETE ${s.path}/${id}`, `GET ${s.path}/${id}`])
    assert.equal((await s.send(line)).status, 404, line);
});

test('keys are listed oldest first and read one by one, with their last use to the minute', async () => {
  await using s = await setting();
  const [one, two] = [
    await s.send(`POST ${s.path}`, pagerduty),
    await s.send(`POST ${s.path}`, { kind: 'opsgenie', key: 'short-one' }),
  ].map(({ body }) => body);
  for (const _time of [1, 2]) {
    await s.recognise('short-one');
    s.pass(59_000);
  }
  const used = { ...two, last_used_at: '2026-01-01T10:00:00.000Z' };
  const list = await s.send(`GET ${s.path}`);
  assert.deepEqual(list.body, { data: [one, used], next_cursor: null });
  assert.deepEqual((await s.send(`GET ${s.path}/${two.id}`)).body, used);
  await s.recognise('short-one');
  const later = await s.send(`GET ${s.path}/${two.id}`);
  assert.equal(later.body.last_used_at, '2026-01-01T10:01:58.000Z');
});

test('the key itself is stored nowhere readable, and in no answer', async () => {
  await using s = await setting();
  const { sql } = s.at;
  const headers = { 'idempotency-key': 'once' };
  const answers = [
    await s.send(`POST ${s.path}`, pagerduty, headers),
    await s.send(`GET ${s.path}`),
    await s.send('GET /audit-log'),
  ];
  assert.ok(answers.every(({ status }) => status < 300));
  assert.doesNotMatch(JSON.stringify(answers.map(({ body }) => body)), new RegExp(key));
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'`;
  for (const { name } of tables) {
    const rows = await sql<{ text: string }[]>`
      select row_to_json(t)::text as text from ${sql(name)} t`;
    assert.ok(
      rows.every(({ text }) => !text.includes(key)),
      name,
    );
  }
});

test('the audit log says who adopted and removed which key', async () => {
  await using s = await setting();
  const { id } = (await s.send(`POST ${s.path}`, pagerduty)).body;
  await s.send(`DELETE ${s.path}/${id}`);
  const { body } = await s.send('GET /audit-log?record_type=integration_key&order=asc');
  const entries = body.data as readonly Record<string, unknown>[];
  assert.deepEqual(
    entries.map(({ action, record_id }) => [action, record_id]),
    [
      ['create', id],
      ['delete', id],
    ],
  );
  for (const shown of [entries[0]?.['after'], entries[1]?.['before']]) {
    const { integration_id, kind, last4 } = shown as Record<string, unknown>;
    assert.deepEqual([integration_id, kind, last4], [s.id, 'pagerduty', 'Z123']);
  }
});

test('a key that stands for any integration is refused, without a word about whose it is', async () => {
  await using s = await setting();
  const other = await s.integration();
  const { token } = (await s.send(`GET /integrations/${other}`)).body;
  await s.send(`POST /integrations/${other}/adopted-keys`, pagerduty);
  for (const taken of [key, token, token.slice(0, 32)]) {
    const { status, body } = await s.send(`POST ${s.path}`, { ...pagerduty, key: taken });
    assert.equal(status, 409, taken);
    assert.deepEqual(body.issues, [
      { path: 'key', message: 'already belongs to another integration' },
    ]);
    assert.doesNotMatch(JSON.stringify(body), new RegExp(other));
  }
});

test('a key that stands for the integration already is refused, and says as what', async () => {
  await using s = await setting();
  const { token } = (await s.send(`GET /integrations/${s.id}`)).body;
  const { id } = (await s.send(`POST ${s.path}`, pagerduty)).body;
  const message = async (known: string) => {
    const { status, body } = await s.send(`POST ${s.path}`, { ...pagerduty, key: known });
    assert.deepEqual([status, body.issues[0].path], [409, 'key']);
    return body.issues[0].message;
  };
  assert.equal(await message(key), `already belongs to this integration, as the adopted key ${id}`);
  for (const known of [token, token.slice(0, 32)])
    assert.equal(await message(known), 'already belongs to this integration, as its token');
});

test('a key that another organization has adopted is refused alike', async () => {
  await using s = await setting();
  const { api, sql } = s.at;
  const { teams, users, caller } = await seedOrganization(sql, { users: [{ name: 'eve' }] });
  const eve = caller({ defaultTeamId: teams['ops'] ?? '' });
  const make = async (route: string, body: object): Promise<string> =>
    (await api.send(eve, `POST /${route}`, { body })).body.id;
  const steps = [{ targets: [{ via: 'email', user_id: users['eve'] }] }];
  const theirs = await make('integrations', {
    slug: 'webhook',
    service_id: await make('services', { name: 's' }),
    escalation_policy_id: await make('escalation-policies', { name: 'p', steps }),
  });
  const line = `POST /integrations/${theirs}/adopted-keys`;
  assert.equal((await api.send(eve, line, { body: pagerduty })).status, 201);
  const { status, body } = await s.send(`POST ${s.path}`, pagerduty);
  assert.equal(status, 409);
  assert.deepEqual(body.issues, [
    { path: 'key', message: 'already belongs to another integration' },
  ]);
  assert.equal((await s.recognise(key))?.integrationId, theirs);
});

test('of two integrations that adopt a key at once, one has it', async () => {
  await using s = await setting();
  const ids = [s.id, await s.integration()];
  await Promise.all(ids.map((id) => s.send(`GET /integrations/${id}/adopted-keys`)));
  const answers = await Promise.all(
    ids.map((id) => s.send(`POST /integrations/${id}/adopted-keys`, pagerduty)),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
});

test('the same request with one Idempotency-Key adopts once, also when its answer was lost', async () => {
  await using s = await setting();
  const headers = { 'idempotency-key': 'once' };
  const first = await s.send(`POST ${s.path}`, pagerduty, headers);
  const second = await s.send(`POST ${s.path}`, pagerduty, headers);
  assert.deepEqual([second.status, second.body], [201, first.body]);
  const without = await s.send(`POST ${s.path}`, pagerduty);
  assert.equal(without.status, 409);
});

const mistakes: readonly (readonly [object, string, RegExp])[] = [
  [{}, 'kind', /is required/],
  [{ kind: 'pagertree', key }, 'kind', /must be one of pagerduty, opsgenie/],
  [{ kind: 'opsgenie' }, 'key', /is required/],
  [{ kind: 'opsgenie', key: 'seven77' }, 'key', /at least 8 characters/],
  [{ kind: 'opsgenie', key: 'x'.repeat(129) }, 'key', /at most 128 characters/],
  [{ kind: 'opsgenie', key: 'with space' }, 'key', /printable ASCII characters without spaces/],
  [{ kind: 'opsgenie', key: 'schlüssel' }, 'key', /printable ASCII characters without spaces/],
  [{ kind: 'opsgenie', key: 12345678 }, 'key', /must be text/],
  [{ kind: 'opsgenie', key, name: 'x' }, 'name', /./],
];
for (const [body, path, message] of mistakes)
  test(`${JSON.stringify(body).slice(0, 60)} is refused at ${path}`, async () => {
    await using s = await setting();
    const answer = await s.send(`POST ${s.path}`, body);
    assert.equal(answer.status, 422);
    const issue = answer.body.issues.find((one: { path: string }) => one.path === path);
    assert.match(issue?.message ?? '', message);
  });

test('an integration adopts so many keys and no more', async () => {
  await using s = await setting();
  for (let each = 0; each < accessLimits.adoptedKeys; each++)
    assert.equal(
      (await s.send(`POST ${s.path}`, { kind: 'goalert', key: `key-number-${each}` })).status,
      201,
    );
  const { status, body } = await s.send(`POST ${s.path}`, pagerduty);
  assert.equal(status, 409);
  assert.match(JSON.stringify(body.issues), /already has 50 adopted keys/);
});

test('an archived integration adopts none, and another may adopt those that are removed from it', async () => {
  await using s = await setting();
  const { id } = (await s.send(`POST ${s.path}`, pagerduty)).body;
  await s.send(`DELETE /integrations/${s.id}`);
  // As by its token: the engine then refuses the event.
  assert.equal((await s.recognise(key))?.integrationId, s.id);
  const refused = await s.send(`POST ${s.path}`, { kind: 'goalert', key: 'another-key' });
  assert.equal(refused.body.error, 'archived');
  const other = `POST /integrations/${await s.integration()}/adopted-keys`;
  assert.equal((await s.send(other, pagerduty)).status, 409);
  assert.equal((await s.send(`DELETE ${s.path}/${id}`)).status, 200);
  assert.equal((await s.send(other, pagerduty)).status, 201);
});

test('adopted keys are for managers of the team, and of nobody else’s organization', async () => {
  await using s = await setting();
  const { world, web, api } = s.at;
  const { id } = (await s.send(`POST ${s.path}`, pagerduty)).body;
  const lines = [
    ...[`GET ${s.path}`, `POST ${s.path}`],
    ...[`GET ${s.path}/${id}`, `DELETE ${s.path}/${id}`],
  ];
  const callers = [
    [world.caller({ role: 'responder' }), 403],
    [world.caller({ teamIds: [web] }), 404],
    [world.caller({ organizationId: 'f'.repeat(24) }), 404],
  ] as const;
  for (const [caller, status] of callers)
    for (const line of lines) {
      const body = { kind: 'opsgenie', key: 'another-key' };
      const answer = await api.send(caller, line, line.startsWith('POST') ? { body } : {});
      assert.equal(answer.status, status, line);
    }
});

test('a key of another integration is not found below this one', async () => {
  await using s = await setting();
  const { id } = (await s.send(`POST ${s.path}`, pagerduty)).body;
  const other = `/integrations/${await s.integration()}/adopted-keys`;
  for (const line of [`GET ${other}/${id}`, `DELETE ${other}/${id}`])
    assert.equal((await s.send(line)).status, 404, line);
  assert.equal((await s.recognise(key))?.integrationId, s.id);
});
