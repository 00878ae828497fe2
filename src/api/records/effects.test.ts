import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApi } from '../../../test/api.ts';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { givenOrganization } from '../../../test/world.ts';

const server = await anyDatabase();

async function setting() {
  const stack = new AsyncDisposableStack();
  const database = stack.use(await testDatabase({ server }));
  const api = stack.use(await testApi({ sql: database.sql }));
  const world = await givenOrganization(database.sql, {
    teams: ['ops', 'web'],
    users: [{ name: 'ada' }, { name: 'bob', active: false }],
  });
  const { ops = '', web = '' } = world.teams;
  const { ada = '', bob = '' } = world.users;
  const key = world.caller({ defaultTeamId: ops });
  async function make(route: string, body: object): Promise<string> {
    const made = await api.send(key, `POST /${route}`, { body });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.id;
  }
  const policy = (said: object = {}) =>
    make('escalation-policies', {
      name: 'p',
      steps: [{ targets: [{ via: 'email', user_id: ada }] }],
      ...said,
    });
  const integration = (service_id: string, escalation_policy_id: string) =>
    make('integrations', { slug: 'webhook', service_id, escalation_policy_id });
  const rule = (action: object) =>
    make('alert-rules', {
      name: 'r',
      condition_groups: [{ conditions: [{ type: 'allIncidents' }] }],
      actions: [action],
    });
  return {
    ...{ api, world, key, ops, web, ada, bob, make, policy, integration, rule },
    sql: database.sql,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

test('2.2.2 archiving with a replacement moves integrations and rules, archived ones too', async () => {
  await using at = await setting();
  const { api, key } = at;
  const heir = await at.policy();
  const old = await at.policy({ archive_replacement_policy_id: heir });
  const service = await at.make('services', { name: 's' });
  const integrations = [await at.integration(service, old), await at.integration(service, old)];
  const action = { type: 'escalationPolicy', escalation_policy_id: old };
  const rules = [await at.rule(action), await at.rule(action)];
  await api.send(key, `DELETE /integrations/${integrations[1]}`);
  await api.send(key, `DELETE /alert-rules/${rules[1]}`);
  const versions = async () =>
    Promise.all(
      [
        ...integrations.map((id) => `/integrations/${id}`),
        ...rules.map((id) => `/alert-rules/${id}`),
      ].map(async (path) => (await api.send(key, `GET ${path}`)).body),
    );
  const before = await versions();

  const gone = await api.send(key, `DELETE /escalation-policies/${old}`);
  assert.deepEqual([gone.status, gone.body.warnings], [200, []]);
  const after = await versions();
  assert.deepEqual(
    after.map((each) => each.escalation_policy_id ?? each.actions[0].escalation_policy_id),
    [heir, heir, heir, heir],
  );
  assert.deepEqual(
    after.map(({ version }) => version),
    before.map(({ version }) => version),
  );
});

test('2.2.2 a replacement that is not active or of another team stops the archive whole', async () => {
  await using at = await setting();
  const { api, key } = at;
  const heir = await at.policy();
  const old = await at.policy({ archive_replacement_policy_id: heir });
  const integration = await at.integration(await at.make('services', { name: 's' }), old);
  await api.send(key, `DELETE /escalation-policies/${heir}`);
  const refused = await api.send(key, `DELETE /escalation-policies/${old}`);
  assert.deepEqual([refused.status, refused.body.error], [409, 'replacement_not_active']);
  const kept = await api.send(key, `GET /integrations/${integration}`);
  assert.equal(kept.body.escalation_policy_id, old);
  const policy = await api.send(key, `GET /escalation-policies/${old}`);
  assert.equal('archived_at' in policy.body, false);
});

test('archiving without a replacement never blocks, and names what still points there', async () => {
  await using at = await setting();
  const { api, key } = at;
  const old = await at.policy();
  const integration = await at.integration(await at.make('services', { name: 's' }), old);
  await at.rule({ type: 'escalationPolicy', escalation_policy_id: old });
  await at.policy({ archive_replacement_policy_id: old });
  const gone = await api.send(key, `DELETE /escalation-policies/${old}`);
  assert.equal(gone.status, 200);
  assert.equal(gone.body.warnings.length, 3);
  assert.ok(gone.body.warnings.some((each: string) => each.includes(integration)));
});

test('a reference that a write adds must exist, in scope and active; a stored one only warns', async () => {
  await using at = await setting();
  const { api, key, ada, bob } = at;
  const body = { name: 'p', steps: [{ targets: [{ via: 'sms', user_id: bob }] }] };
  const added = await api.send(key, 'POST /escalation-policies', { body });
  assert.deepEqual(
    [added.status, added.body.issues],
    [422, [{ path: 'steps[0].targets[0].user_id', message: 'names a deactivated user' }]],
  );
  const policy = await at.policy();
  await at.sql`update users set active = false where id = ${ada}`;
  const stored = await api.send(key, `PATCH /escalation-policies/${policy}`, {
    body: { name: 'q' },
  });
  assert.equal(stored.status, 200);
  assert.deepEqual(stored.body.warnings, ['steps[0].targets[0].user_id names a deactivated user.']);

  const elsewhere = await at.make('services', { name: 's', team_id: at.web });
  const crossing = { slug: 'carrier-pigeon', service_id: elsewhere, escalation_policy_id: policy };
  const refused = await api.send(key, 'POST /integrations', { body: crossing });
  assert.deepEqual(
    refused.body.issues.map((each: { path: string }) => each.path),
    ['slug', 'service_id'],
  );
});

test('below manager secrets are masked; audit and storage never show them', async () => {
  await using at = await setting();
  const { api, key, world } = at;
  const url = 'https://hooks.test/very-secret';
  const webhook = await at.make('outbound-webhooks', { name: 'w', url });
  const integration = await at.integration(
    await at.make('services', { name: 's' }),
    await at.policy({ steps: [{ targets: [{ via: 'slack', webhook_url: url }] }] }),
  );
  const read = (role: 'responder' | 'manager', path: string) =>
    api.send(world.caller({ role }), `GET ${path}`).then(({ body }) => body);
  const whole = await read('manager', `/integrations/${integration}`);
  assert.match(whole.token, /^[0-9a-f]{40}$/);
  assert.equal(whole.webhook_url, `http://localhost:8080/hooks/${whole.token}/push-events`);
  assert.equal(whole.email_address, `${whole.token}@localhost`);
  const masked = await read('responder', `/integrations/${integration}`);
  assert.deepEqual([masked.token, masked.webhook_url, masked.email_address], ['•••', '•••', '•••']);
  assert.equal((await read('responder', `/outbound-webhooks/${webhook}`)).url, '•••');
  const policies = await read('responder', '/escalation-policies');
  assert.equal(policies.data[0].steps[0].targets[0].webhook_url, '•••');
  await api.send(key, `PATCH /integrations/${integration}`, { body: { slug: 'prometheus' } });
  assert.equal((await read('manager', `/integrations/${integration}`)).token, whole.token);

  const rows = await at.sql`
    select row_to_json(a)::text as text from audit_log a union all
    select row_to_json(w)::text from outbound_webhooks w union all
    select row_to_json(i)::text from integrations i union all
    select row_to_json(p)::text from escalation_policies p`;
  for (const { text } of rows)
    assert.ok(!text.includes('very-secret') && !text.includes(whole.token), text);
});

test('a schedule tells where its layers begin, and layers that stay the same keep it', async () => {
  await using at = await setting();
  const { api, key, ada } = at;
  const layer = { users: [ada], rotation: { length: 1, unit: 'weeks', handoff: '09:00' } };
  const other = { users: [ada], rotation: { length: 2, unit: 'days' } };
  const id = await at.make('on-calls', { name: 'o', layers: [layer, other] });
  const config = async () => (await api.send(key, `GET /on-calls/${id}/config`)).body;
  const first = await config();
  assert.match(first.layers[0].anchor.at, /T09:00:00\.000Z$/);
  const back = await api.send(key, `PUT /on-calls/${id}`, {
    body: { ...first, layers: first.layers.toReversed() },
  });
  assert.equal(back.status, 200, JSON.stringify(back.body));
  assert.deepEqual(back.body.layers, [other, layer]);
  assert.deepEqual((await config()).layers, first.layers.toReversed());
  await api.send(key, `PATCH /on-calls/${id}`, { body: { layers: [layer] } });
  assert.deepEqual((await config()).layers, [first.layers[0]]);
});

test('the team of a new record: body, header, key, the only one, the default one', async () => {
  await using at = await setting();
  const { api, world, ops, web } = at;
  const team = async (caller: Parameters<typeof world.caller>[0], sent: object = {}) => {
    const answer = await api.send(world.caller(caller), 'POST /services', {
      body: { name: 's' },
      ...sent,
    });
    return answer.body.team_id ?? answer.body.error;
  };
  const body = { name: 's', team_id: web };
  assert.equal(await team({}, { body, headers: { 'x-team-id': ops } }), web);
  assert.equal(await team({ defaultTeamId: ops }, { headers: { 'x-team-id': web } }), web);
  assert.equal(await team({ defaultTeamId: web }), web);
  assert.equal(await team({ teamIds: [web] }), web);
  assert.equal(await team({}), ops);
  await at.sql`update teams set is_default = false`;
  assert.equal(await team({}), 'team_required');
  assert.equal(await team({}, { headers: { 'x-team-id': 'nonsense' } }), 'not_found');
});

test('rules say that they are not applied yet', async () => {
  await using at = await setting();
  const made = await at.api.send(at.key, 'POST /alert-rules', {
    body: {
      name: 'r',
      condition_groups: [{ conditions: [{ type: 'allIncidents' }] }],
      actions: [{ type: 'acknowledgeIncident' }],
    },
  });
  assert.match(made.body.warnings[0], /does not apply/);
});

test("a rule routes to another team by one of that team's integrations", async () => {
  await using at = await setting();
  const { api, key, ops, web } = at;
  const own = await at.integration(await at.make('services', { name: 's' }), await at.policy());
  const send = (team_id: string) =>
    api.send(key, 'POST /alert-rules', {
      body: {
        name: 'r',
        condition_groups: [{ conditions: [{ type: 'allIncidents' }] }],
        actions: [{ type: 'routeToTeam', team_id, integration_id: own }],
      },
    });
  assert.equal((await send(ops)).status, 201);
  assert.equal((await send(web)).body.issues[0].path, 'actions[0].integration_id');
});

test('integration types are listed with their guides', async () => {
  await using at = await setting();
  const { data } = (await at.api.send(at.key, 'GET /integration-types')).body;
  const webhook = data.find(({ slug }: { slug: string }) => slug === 'webhook');
  assert.deepEqual(Object.keys(webhook), ['slug', 'name', 'description', 'guide_url']);
});

test('a move misses nothing that is made or changed while it happens', async () => {
  await using at = await setting();
  const { api, key } = at;
  const heir = await at.policy();
  const old = await at.policy({ archive_replacement_policy_id: heir });
  const service_id = await at.make('services', { name: 's' });
  const existing = await at.integration(service_id, old);
  const body = { slug: 'webhook', service_id, escalation_policy_id: old };
  const answers = await Promise.all([
    ...Array.from({ length: 6 }, () => api.send(key, 'POST /integrations', { body })),
    api.send(key, `DELETE /escalation-policies/${old}`),
    ...Array.from({ length: 6 }, () => api.send(key, 'POST /integrations', { body })),
    api.send(key, `PUT /integrations/${existing}`, { body }),
  ]);
  for (const { status } of answers) assert.ok([200, 201, 422].includes(status), String(status));
  const { data } = (await api.send(key, 'GET /integrations')).body;
  assert.deepEqual(
    new Set(data.map((each: { escalation_policy_id: string }) => each.escalation_policy_id)),
    new Set([heir]),
  );
});
