import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRecordsApi as setting } from '../../../test/records-api.ts';

test('2.2.2 archiving with a replacement moves all that uses it, archived ones too', async () => {
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
  const playbooks = [await at.playbook(action), await at.playbook(action)];
  await api.send(key, `DELETE /playbooks/${playbooks[1]}`);
  const versions = async () =>
    Promise.all(
      [
        ...integrations.map((id) => `/integrations/${id}`),
        ...rules.map((id) => `/alert-rules/${id}`),
        ...playbooks.map((id) => `/playbooks/${id}`),
      ].map(async (path) => (await api.send(key, `GET ${path}`)).body),
    );
  const before = await versions();

  const gone = await api.send(key, `DELETE /escalation-policies/${old}`);
  assert.deepEqual([gone.status, gone.body.warnings], [200, []]);
  const after = await versions();
  assert.deepEqual(
    after.map((each) => each.escalation_policy_id ?? each.actions[0].escalation_policy_id),
    [heir, heir, heir, heir, heir, heir],
  );
  assert.deepEqual(
    after.map(({ version }) => version),
    before.map(({ version }) => version),
  );
});

test('2.2.2 a replacement that is not active or of another team stops the archive whole', async () => {
  await using at = await setting();
  const { api, key, sql, web } = at;
  const service = await at.make('services', { name: 's' });
  const invalidations = [
    (heir: string) => api.send(key, `DELETE /escalation-policies/${heir}`),
    // No write of the API comes to this.
    (heir: string) => sql`update escalation_policies set team_id = ${web} where id = ${heir}`,
  ];
  for (const invalidate of invalidations) {
    const heir = await at.policy();
    const old = await at.policy({ archive_replacement_policy_id: heir });
    const integration = await at.integration(service, old);
    await invalidate(heir);
    const refused = await api.send(key, `DELETE /escalation-policies/${old}`);
    assert.deepEqual([refused.status, refused.body.error], [409, 'replacement_not_active']);
    const unmoved = await api.send(key, `GET /integrations/${integration}`);
    assert.equal(unmoved.body.escalation_policy_id, old);
    const policy = await api.send(key, `GET /escalation-policies/${old}`);
    assert.equal('archived_at' in policy.body, false);
  }
});

test('2.2.2 a replacement that is not active stops nothing where nothing active would move', async () => {
  await using at = await setting();
  const { api, key } = at;
  const heir = await at.policy();
  const old = await at.policy({ archive_replacement_policy_id: heir });
  const integration = await at.integration(await at.make('services', { name: 's' }), old);
  const rule = await at.rule({ type: 'escalationPolicy', escalation_policy_id: old });
  await at.policy({ archive_replacement_policy_id: old });
  await api.send(key, `DELETE /escalation-policies/${heir}`);
  const archive = () => api.send(key, `DELETE /escalation-policies/${old}`);
  for (const path of [`/integrations/${integration}`, `/alert-rules/${rule}`]) {
    assert.equal((await archive()).status, 409);
    await api.send(key, `DELETE ${path}`);
  }
  assert.equal((await archive()).status, 200);
  const unmoved = await api.send(key, `GET /integrations/${integration}`);
  assert.equal(unmoved.body.escalation_policy_id, old);
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

test('a record of an archived team is restored when its team is', async () => {
  await using at = await setting();
  const { api, key, world, web } = at;
  const id = await at.make('services', { name: 's', team_id: web });
  await api.send(key, `DELETE /services/${id}`);
  const admin = world.caller({ role: 'admin', kind: 'session' });
  await api.send(admin, `DELETE /teams/${web}`);
  const restore = () => api.send(admin, `POST /services/${id}/restore`);
  const refused = await restore();
  assert.deepEqual([refused.status, refused.body.error], [409, 'team_archived']);
  await api.send(admin, `POST /teams/${web}/restore`);
  assert.equal((await restore()).status, 200);
});

test('warnings of archiving name nothing of teams that the key may not see', async () => {
  await using at = await setting();
  const { api, key, world, ops, web } = at;
  const [service, policy] = [await at.make('services', { name: 's' }), await at.policy()];
  const integration = await at.integration(service, policy);
  const own = await at.rule({ type: 'routeToTeam', team_id: ops, integration_id: integration });
  const condition_groups = [{ conditions: [{ type: 'allIncidents' }] }];
  const route = { type: 'routeToTeam', team_id: ops, integration_id: integration };
  const secret = { name: 'The merger', team_id: web, condition_groups, actions: [route] };
  const others = await at.make('alert-rules', secret);
  const archive = async (caller = key) =>
    (await api.send(caller, `DELETE /integrations/${integration}`)).body.warnings;
  const named = `The alert routing rule "r" (${own}) still uses it.`;
  assert.deepEqual(await archive(world.caller({ teamIds: [ops] })), [
    named,
    'Records of other teams still use it: 1.',
  ]);
  assert.deepEqual(await archive(), [
    named,
    `The alert routing rule "The merger" (${others}) still uses it.`,
  ]);
});

test('an integration without a name is warned of as incidents name it', async () => {
  await using at = await setting();
  const { api, key } = at;
  const [service, policy] = [await at.make('services', { name: 's' }), await at.policy()];
  const id = await at.integration(service, policy);
  const { counter } = (await api.send(key, `GET /integrations/${id}`)).body;
  await at.sql`update integrations set name = null where id = ${id}`;
  const { warnings } = (await api.send(key, `DELETE /services/${service}`)).body;
  assert.deepEqual(warnings, [
    `The integration "webhook integration ${counter}" (${id}) still uses it.`,
  ]);
});
