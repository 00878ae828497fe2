import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRecordsApi as setting } from '../../../test/records-api.ts';

test('a reference that a write adds must exist, in scope and active; a stored one only warns', async () => {
  await using at = await setting();
  const { api, key, ada, bob } = at;
  const body = { name: 'p', steps: [{ targets: [{ via: 'sms', user_id: bob }] }] };
  const added = await api.send(key, 'POST /escalation-policies', { body });
  assert.deepEqual(
    [added.status, added.body.issues],
    [422, [{ path: 'steps[0].targets[0].user_id', message: 'refers to a deactivated user' }]],
  );
  const policy = await at.policy();
  await at.sql`update users set active = false where id = ${ada}`;
  const stored = await api.send(key, `PATCH /escalation-policies/${policy}`, {
    body: { name: 'q' },
  });
  assert.equal(stored.status, 200);
  assert.deepEqual(stored.body.warnings, [
    'steps[0].targets[0].user_id refers to a deactivated user.',
  ]);

  const elsewhere = await at.make('services', { name: 's', team_id: at.web });
  const crossing = { slug: 'carrier-pigeon', service_id: elsewhere, escalation_policy_id: policy };
  const refused = await api.send(key, 'POST /integrations', { body: crossing });
  assert.deepEqual(
    refused.body.issues.map((each: { path: string }) => each.path),
    ['slug', 'service_id'],
  );
});

test('a chat that a step names twice is known as one, sealed as it is', async () => {
  await using at = await setting();
  const target = (webhook_url: string) => ({ via: 'slack', webhook_url });
  const [one, other] = ['https://chat.example.com/1', 'https://chat.example.com/2'];
  await at.policy({ steps: [{ targets: [one, other, one].map(target) }] });
  const [row] = await at.sql<{ targets: { webhook_url: { sealed: string } }[] }[]>`
    select steps -> 0 -> 'targets' as targets from escalation_policies`;
  const [first, second, third] = row?.targets.map(({ webhook_url }) => webhook_url.sealed) ?? [];
  assert.equal(first, third);
  assert.notEqual(first, second);
});

test('an id that is stored already names nothing of another kind or scope for that', async () => {
  await using at = await setting();
  const { api, key, ada, web } = at;
  const [service, policy] = [await at.make('services', { name: 's' }), await at.policy()];
  const own = await at.integration(service, policy);
  const theirs = await at.make('integrations', {
    slug: 'webhook',
    team_id: web,
    service_id: await at.make('services', { name: 's', team_id: web }),
    escalation_policy_id: await at.policy({ team_id: web }),
  });
  const rule = await at.rule({ type: 'routeToTeam', team_id: web, integration_id: theirs });
  const cases = [
    [`/integrations/${own}`, 'escalation_policy_id', service],
    [`/escalation-policies/${policy}`, 'archive_replacement_policy_id', ada],
    [`/alert-rules/${rule}`, 'integration_ids', [theirs]],
  ] as const;
  for (const [path, field, value] of cases) {
    const { status, body } = await api.send(key, `PATCH ${path}`, { body: { [field]: value } });
    assert.equal(status, 422, JSON.stringify(body));
    assert.match(body.issues[0].message, /^does not match any [a-z ]+ in this team$/);
  }
});

test('deactivating a person names what still relies on them', async () => {
  await using at = await setting();
  const { api, ada, world } = at;
  const admin = world.caller({ role: 'admin' });
  const layers = [{ users: [ada], rotation: { length: 1, unit: 'days' } }];
  const schedule = await at.make('on-calls', { name: 'Nights', layers });
  const become = (active: boolean) => api.send(admin, `PATCH /users/${ada}`, { body: { active } });
  assert.deepEqual((await become(false)).body.warnings, [
    `The on-call schedule "Nights" (${schedule}) still uses this person, who is not active.`,
  ]);
  assert.equal('warnings' in (await become(true)).body, false);
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

test('2.5.4 a webhook’s headers are stored in plain text, and their values are for managers', async () => {
  await using at = await setting();
  const headers = { authorization: 'Bearer of-another-system', 'x-empty': '' };
  const body = { name: 'w', url: 'https://hooks.test/', headers };
  const webhook = await at.make('outbound-webhooks', body);
  const masks = { authorization: '•••', 'x-empty': '•••' };
  for (const [role, shown] of [
    ['viewer', masks],
    ['responder', masks],
    ['manager', headers],
  ] as const) {
    const caller = at.world.caller({ role });
    const read = await at.api.send(caller, `GET /outbound-webhooks/${webhook}`);
    assert.deepEqual(read.body.headers, shown, role);
    const { body: list } = await at.api.send(caller, 'GET /outbound-webhooks');
    assert.deepEqual(list.data[0].headers, shown, role);
  }
  const [row] = await at.sql`select headers from outbound_webhooks`;
  assert.deepEqual(row?.['headers'], headers);
  const manager = at.world.caller({ role: 'manager' });
  const written = { body: { headers: masks } };
  const refused = await at.api.send(manager, `PATCH /outbound-webhooks/${webhook}`, written);
  assert.equal(refused.status, 422, 'a mask is never stored');
  const changed = { body: { headers: { ...headers, 'x-new': 'of-another-system' } } };
  await at.api.send(manager, `PATCH /outbound-webhooks/${webhook}`, changed);
  const log = await at.sql`select before, after from audit_log where record_id = ${webhook}`;
  assert.ok(log.length > 1 && !JSON.stringify(log).includes('of-another-system'));
});

test('a schedule answers anchors, and layers that stay the same keep theirs', async () => {
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
  assert.equal(await team({}, { headers: { 'x-team-id': 'nonsense' } }), 'unreadable');
  assert.equal(await team({}, { headers: { 'x-team-id': 'f'.repeat(24) } }), 'not_found');
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
  const { name, guide_url, guide, known_as } = webhook;
  assert.deepEqual(
    { name, guide_url },
    { name: 'Webhook', guide_url: '/docs/integrations/webhook' },
  );
  assert.match(guide.steps[0], /\{url\}/);
  assert.equal(guide.snippets[0].file, 'alert.sh');
  assert.deepEqual(known_as, []);
  const email = data.find(({ slug }: { slug: string }) => slug === 'email');
  assert.match(email.guide.snippets[0].text, /--mail-rcpt '\{email\}'/);
  const grafana = data.find(({ slug }: { slug: string }) => slug === 'grafana');
  assert.ok(grafana.known_as.includes('grafana_alerting'));
});
