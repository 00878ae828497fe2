// The provider's calls for records, against the API itself.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldOf } from '../../src/terraform/convert.ts';
import { managedRecords } from '../../src/terraform/managed.ts';
import { Unknown, type Value } from '../../src/terraform/protocol/value.ts';
import { Core, errorsOf, type State, warningsOf } from './core.ts';
import { beforeScheduleRoutes } from './proxy.ts';
import { startProvider } from './running-provider.ts';

type Provider = Awaited<ReturnType<typeof startProvider>>;

const turns = { length: 1, unit: 'weeks' };

/** A configuration of each kind of record. */
function configs({ ada, existing }: Provider): Record<string, { readonly [name: string]: Value }> {
  const [service_id = ''] = existing['service'] ?? [];
  const [escalation_policy_id = ''] = existing['escalation_policy'] ?? [];
  const always = { conditions: [{ type: 'allIncidents' }] };
  return {
    pager_service: { name: 'Shop' },
    pager_escalation_policy: {
      name: 'Shop',
      steps: [{ targets: [{ via: 'email', user_id: ada }], escalate_after_minutes: 0 }],
    },
    pager_integration: { name: 'Shop', slug: 'webhook', service_id, escalation_policy_id },
    pager_alert_routing_rule: {
      name: 'Shop',
      condition_groups: [always],
      actions: [{ type: 'priority', priority: 'p1' }],
    },
    pager_outbound_webhook: { name: 'Shop', url: 'https://shop.test', headers: {} },
    pager_playbook: {
      name: 'Shop',
      actions: [{ type: 'note', text: 'Seen.' }],
      run_automatically: [],
    },
    pager_oncall_schedule: { name: 'Shop', layers: [{ users: [ada], rotation: turns }] },
  };
}

const idOf = ({ value }: State) => String(fieldOf(value, 'id'));

for (const { typeName, resource } of managedRecords) {
  describe(typeName, () => {
    test('it is created, read as it was planned, and has nothing left to do', async () => {
      await using at = await startProvider();
      const config = configs(at)[typeName] ?? {};
      const made = await at.core.make(typeName, config);
      const read = await at.core.read(typeName, made);
      assert.deepEqual(read, { state: made, diagnostics: [] });
      assert.equal((await at.core.plan(typeName, config, made)).isChange, false);
    });

    test('it is changed where it is, and has its id and its secrets still', async () => {
      await using at = await startProvider();
      const config = configs(at)[typeName] ?? {};
      const made = await at.core.make(typeName, config);
      const changed = await at.core.make(typeName, { ...config, name: ' Store ' }, made);
      assert.deepEqual(changed.value, { ...(made.value as object), name: ' Store ' });
      const read = await at.core.read(typeName, changed);
      assert.deepEqual(read, { state: changed, diagnostics: [] });
    });

    test('it is archived, and archiving it again is fine', async () => {
      await using at = await startProvider();
      const made = await at.core.make(typeName, configs(at)[typeName] ?? {});
      for (const _time of [1, 2]) {
        assert.equal((await at.core.make(typeName, null, made)).value, null);
      }
      const { body } = await at.api.send(at.key, `GET /${resource.route}/${idOf(made)}`);
      assert.ok(body.archived_at);
    });

    test('one that was archived elsewhere is gone, with a word about it', async () => {
      await using at = await startProvider();
      const made = await at.core.make(typeName, configs(at)[typeName] ?? {});
      await at.api.send(at.key, `DELETE /${resource.route}/${idOf(made)}`);
      const { state, diagnostics } = await at.core.read(typeName, made);
      assert.equal(state.value, null);
      assert.deepEqual(errorsOf(diagnostics), []);
      assert.match(
        warningsOf(diagnostics).join(),
        /"Shop" is archived: .* restore it .* with POST \/[a-z-]+\/[0-9a-f]{24}\/restore/,
      );
    });

    test('a change in the dashboard since the plan is not overwritten', async () => {
      await using at = await startProvider();
      const { core } = at;
      const config = configs(at)[typeName] ?? {};
      const made = await core.make(typeName, config);
      const planned = await core.plan(typeName, { ...config, name: 'Terraform’s' }, made);
      const ending = await core.plan(typeName, null, made);
      const path = `/${resource.route}/${idOf(made)}`;
      await at.api.send(at.key, `PATCH ${path}`, { body: { name: 'The dashboard’s' } });
      const { state, diagnostics } = await core.apply(typeName, planned, made);
      assert.deepEqual(state, made);
      assert.match(
        errorsOf(diagnostics).join(),
        /changed in the dashboard since the plan\. Run terraform plan again/,
      );
      const ended = await core.apply(typeName, ending, made);
      assert.deepEqual(ended.state, made);
      assert.match(
        errorsOf(ended.diagnostics).join(),
        /Could not archive .*Run terraform plan again/s,
      );
      assert.equal((await at.api.send(at.key, `GET ${path}`)).body.name, 'The dashboard’s');
    });

    test('it is imported by id or counter, with its team or without', async () => {
      await using at = await startProvider();
      const { core } = at;
      const config = configs(at)[typeName] ?? {};
      const made = await core.make(typeName, config);
      const [id, counter] = [idOf(made), fieldOf(made.value, 'counter')];
      for (const importId of [id, `${at.ops}/${id}`, `${counter}`, `${at.ops}/${counter}`]) {
        const { state, diagnostics } = await core.import(typeName, importId);
        assert.deepEqual([errorsOf(diagnostics), idOf(state)], [[], id]);
        // Empty and missing maps and lists are two things, and stay so.
        assert.equal((await core.plan(typeName, config, state)).isChange, false);
      }
      for (const importId of [
        `${at.web}/${id}`,
        `${at.web}/${counter}`,
        '0123456789abcdef01234567',
      ]) {
        const { state, diagnostics } = await core.import(typeName, importId);
        assert.equal(fieldOf(state.value, 'counter'), null);
        assert.match(errorsOf(diagnostics).join(), /is not found/);
      }
      await core.make(typeName, null, made);
      const { diagnostics } = await core.import(typeName, id);
      assert.match(errorsOf(diagnostics).join(), /is archived: .* To import it, restore it first/);
    });

    test('another team replaces it', async () => {
      await using at = await startProvider();
      const config = configs(at)[typeName] ?? {};
      const made = await at.core.make(typeName, config);
      const { replaces, diagnostics } = await at.core.plan(
        typeName,
        { ...config, team_id: at.web },
        made,
      );
      assert.equal(replaces, true);
      assert.match(warningsOf(diagnostics).join(), /"Shop" is replaced/);
    });
  });
}

test('a record without a team is of the provider’s, else of the key’s', async () => {
  await using at = await startProvider();
  const { core } = at;
  const ours = await core.make('pager_service', { name: 'Shop' });
  assert.equal(fieldOf(ours.value, 'team_id'), at.ops);
  await core.configure({ ...at.settings, team_id: at.web });
  const theirs = await core.make('pager_service', { name: 'Shop' });
  assert.equal(fieldOf(theirs.value, 'team_id'), at.web);
  const again = await core.plan('pager_service', { name: 'Shop' }, ours);
  assert.deepEqual([again.isChange, again.replaces], [false, false]);
});

test('what was planned before the provider’s team was known is of that team', async () => {
  await using at = await startProvider();
  const { core } = at;
  await core.configure({ ...at.settings, team_id: new Unknown() });
  const planned = await core.plan('pager_service', { name: 'Shop' });
  await core.configure({ ...at.settings, team_id: at.web });
  const { state } = await core.apply('pager_service', planned);
  assert.equal(fieldOf(state.value, 'team_id'), at.web);
});

test('an import that is none of the four forms is refused with the forms', async () => {
  const core = new Core();
  for (const id of ['', 'Shop', '0', '-1', '1/2', `${'A'.repeat(24)}`, 'a/b/c']) {
    const { diagnostics } = await core.import('pager_service', id);
    assert.match(errorsOf(diagnostics).join(), /<team_id>\/<counter>/);
  }
});

test('what is wrong is told at its place before anything is sent', async () => {
  const core = new Core();
  const steps = [{ targets: [{ via: 'email' }] }, { targets: [] }];
  const diagnostics = await core.validate('pager_escalation_policy', { name: null, steps });
  assert.deepEqual(diagnostics.map(({ summary }) => summary).sort(), [
    'Invalid name',
    'Invalid steps[0].escalate_after_minutes',
    'Invalid steps[0].targets[0].user_id',
    'Invalid steps[1].targets',
  ]);
});

test('of many mistakes the first hundred are told, and how many there are', async () => {
  const core = new Core();
  for (const [length, count] of [
    [999, '999'],
    [1_999, '1000 or more'],
  ] as const) {
    const targets = Array.from({ length }, () => ({ via: 'pigeon' }));
    const config = { name: 'Pigeons', steps: [{ targets }] };
    const errors = errorsOf(await core.validate('pager_escalation_policy', config));
    assert.equal(errors.length, 101);
    const summary = `has ${count} errors, of which the first 100 are listed.`;
    assert.ok(errors.at(-1)?.endsWith(summary));
  }
});

test('a policy of hundreds of targets is told to be slow', async () => {
  const core = new Core();
  const warnings = async (count: number) => {
    const targets = Array.from({ length: count }, () => ({ via: 'slack', channel_id: 'C024' }));
    const steps = [
      { targets: targets.slice(1), escalate_after_minutes: 5 },
      { targets: targets.slice(0, 1) },
    ];
    return warningsOf(await core.validate('pager_escalation_policy', { name: 'Shop', steps }));
  };
  assert.deepEqual(await warnings(299), []);
  assert.match((await warnings(300)).join(), /^The escalation policy "Shop" has 300 targets: /);
});

test('a regular expression that does not compile is told before anything is sent', async () => {
  const core = new Core();
  const conditions = [{ type: 'incidentMessage', comparator: 'matches', text: 'disk (full' }];
  const rule = { name: 'Disks', condition_groups: [{ conditions }] };
  const actions = [{ type: 'acknowledgeIncident' }];
  const [diagnostics, ...others] = await core.validate('pager_alert_routing_rule', {
    ...rule,
    actions,
  });
  assert.equal(diagnostics?.summary, 'Invalid condition_groups[0].conditions[0].text');
  assert.match(
    diagnostics?.detail ?? '',
    /is not a valid RE2 regular expression: missing closing \)/,
  );
  assert.deepEqual(others, []);
});

test('what the API finds wrong is told at its place, with the request', async () => {
  await using at = await startProvider();
  const [escalation_policy_id = ''] = at.existing['escalation_policy'] ?? [];
  const config = { slug: 'webhok', service_id: 'f'.repeat(24), escalation_policy_id };
  const planned = await at.core.plan('pager_integration', config);
  const { state, diagnostics } = await at.core.apply('pager_integration', planned);
  assert.equal(state.value, null);
  assert.deepEqual(
    diagnostics.map(({ attribute }) => attribute?.steps?.[0]?.attribute_name),
    ['slug', 'service_id'],
  );
  assert.match(
    errorsOf(diagnostics).join(),
    /slug is not an integration type \(did you mean "webhook"\?\)/,
  );
});

test('a slug that the server does not know is an error of the plan, in the words of the API', async () => {
  await using at = await startProvider();
  const config = { ...configs(at)['pager_integration'], slug: 'webhok' };
  const expected = 'slug is not an integration type (did you mean "webhook"?).';
  const errors = errorsOf(await at.core.validate('pager_integration', config));
  assert.deepEqual(errors, [`Invalid slug: ${expected}`]);
  const unknown = await at.core.validate('pager_integration', { ...config, slug: new Unknown() });
  assert.deepEqual(unknown, []);
});

test('a change that is refused leaves the state as it was', async () => {
  await using at = await startProvider();
  const config = configs(at)['pager_integration'] ?? {};
  const made = await at.core.make('pager_integration', config);
  const planned = await at.core.plan('pager_integration', { ...config, slug: 'none' }, made);
  const { state, diagnostics } = await at.core.apply('pager_integration', planned, made);
  assert.deepEqual(state, made);
  assert.match(
    errorsOf(diagnostics).join(),
    /Could not change the integration "Shop": slug is not/,
  );
});

test('a position that was set in the dashboard outlives a change', async () => {
  await using at = await startProvider();
  const config = configs(at)['pager_alert_routing_rule'] ?? {};
  const made = await at.core.make('pager_alert_routing_rule', config);
  const path = `/alert-rules/${idOf(made)}`;
  await at.api.send(at.key, `PATCH ${path}`, { body: { position: 7 } });
  const { state } = await at.core.read('pager_alert_routing_rule', made);
  await at.core.make('pager_alert_routing_rule', { ...config, name: 'Night' }, state);
  const { body } = await at.api.send(at.key, `GET ${path}`);
  assert.deepEqual([body.name, body.position], ['Night', 7]);
});

test('an answer with archived_at null is of an active record', async () => {
  await using at = await startProvider();
  const made = await at.core.make('pager_service', { name: 'Shop' });
  const id = idOf(made);
  const { body } = await at.api.send(at.key, `GET /services/${id}`);
  at.proxy.instead = ({ path }) =>
    path === `/services/${id}` ? { status: 200, body: { ...body, archived_at: null } } : undefined;
  assert.deepEqual(await at.core.read('pager_service', made), { state: made, diagnostics: [] });
  const answer = await at.core.readData('pager_service', { id });
  assert.deepEqual([answer.diagnostics, idOf(answer.state)], [[], id]);
});

test('a default that the server does not know of is no difference', async () => {
  await using at = await startProvider();
  const { core } = at;
  const config = configs(at)['pager_integration'] ?? {};
  const made = await core.make('pager_integration', config);
  const path = `/integrations/${idOf(made)}`;
  const { enabled: _enabled, ...body } = (await at.api.send(at.key, `GET ${path}`)).body;
  at.proxy.instead = (passing) => (passing.path === path ? { status: 200, body } : undefined);
  const { state } = await core.read('pager_integration', made);
  assert.equal((await core.plan('pager_integration', config, state)).isChange, false);
});

test('what still uses an archived record is told', async () => {
  await using at = await startProvider();
  const { core } = at;
  const policy = await core.make(
    'pager_escalation_policy',
    configs(at)['pager_escalation_policy'] ?? {},
  );
  const config = { ...configs(at)['pager_integration'], escalation_policy_id: idOf(policy) };
  await core.make('pager_integration', config);
  const ending = await core.plan('pager_escalation_policy', null, policy);
  const { diagnostics } = await core.apply('pager_escalation_policy', ending, policy);
  assert.deepEqual(errorsOf(diagnostics), []);
  assert.match(
    warningsOf(diagnostics).join(),
    /The integration "Shop" .* still uses it\.: The escalation policy "Shop" is archived/,
  );
});

test('a policy hands over what uses it to its replacement, and that is no change since', async () => {
  await using at = await startProvider();
  const { core } = at;
  const [type, config] = ['pager_escalation_policy', configs(at)['pager_escalation_policy']];
  const [next = ''] = at.existing['escalation_policy'] ?? [];
  const policy = await core.make(type, { ...config, archive_replacement_policy_id: next });
  const using = { ...configs(at)['pager_integration'], escalation_policy_id: idOf(policy) };
  const user = await core.make('pager_integration', using);
  await core.make(type, null, policy);
  const { state } = await core.read('pager_integration', user);
  assert.equal(fieldOf(state.value, 'escalation_policy_id'), next);
  await core.make('pager_integration', { ...using, escalation_policy_id: next }, user);
});

test('a change of what was archived meanwhile says so', async () => {
  await using at = await startProvider();
  const made = await at.core.make('pager_service', { name: 'Shop' });
  const planned = await at.core.plan('pager_service', { name: 'Store' }, made);
  await at.api.send(at.key, `DELETE /services/${idOf(made)}`);
  const { state, diagnostics } = await at.core.apply('pager_service', planned, made);
  assert.deepEqual(state, made);
  assert.match(
    errorsOf(diagnostics).join(),
    /in the dashboard since the plan\. Run terraform plan again/,
  );
});

test('secrets that an API key may not read stay as the state has them', async () => {
  await using at = await startProvider();
  const config = configs(at)['pager_integration'] ?? {};
  const made = await at.core.make('pager_integration', config);
  const viewer = at.world.caller({ role: 'viewer' });
  await at.api.send(viewer, 'GET /services');
  await at.core.configure({ ...at.settings, api_key: viewer.id });
  const { state, diagnostics } = await at.core.read('pager_integration', made);
  assert.deepEqual(state.value, made.value);
  assert.match(warningsOf(diagnostics).join(), /cannot read secrets/);
  const planned = await at.core.plan('pager_integration', { ...config, name: 'Store' }, state);
  const applied = await at.core.apply('pager_integration', planned, state);
  assert.match(errorsOf(applied.diagnostics).join(), /role manager or above/);
});

test('a plan with a viewer’s key finds nothing to change in a webhook with headers', async () => {
  await using at = await startProvider();
  const headers = { Authorization: 'Bearer secret', 'X-Empty': '' };
  const config = { ...configs(at)['pager_outbound_webhook'], headers };
  const made = await at.core.make('pager_outbound_webhook', config);
  const viewer = at.world.caller({ role: 'viewer' });
  const { body } = await at.api.send(viewer, `GET /outbound-webhooks/${idOf(made)}`);
  assert.deepEqual(body.headers, { Authorization: '•••', 'X-Empty': '•••' });
  await at.core.configure({ ...at.settings, api_key: viewer.id });
  const { state } = await at.core.read('pager_outbound_webhook', made);
  assert.deepEqual(state.value, made.value);
  const planned = await at.core.plan('pager_outbound_webhook', config, state);
  assert.deepEqual([planned.isChange, errorsOf(planned.diagnostics)], [false, []]);
});

test('secrets that the state lacks are read by a manager’s key, or not at all', async () => {
  await using at = await startProvider();
  const typeNames = ['pager_integration', 'pager_outbound_webhook', 'pager_service'];
  const ids = new Map<string, string>();
  for (const typeName of typeNames)
    ids.set(typeName, idOf(await at.core.make(typeName, configs(at)[typeName] ?? {})));
  const viewer = at.world.caller({ role: 'viewer' });
  await at.api.send(viewer, 'GET /services');
  await at.core.configure({ ...at.settings, api_key: viewer.id });
  for (const typeName of ['pager_integration', 'pager_outbound_webhook']) {
    const { diagnostics } = await at.core.import(typeName, ids.get(typeName) ?? '');
    assert.match(errorsOf(diagnostics).join(), /cannot read its secrets, .* role manager or above/);
  }
  const service = await at.core.import('pager_service', ids.get('pager_service') ?? '');
  assert.deepEqual(service.diagnostics, []);
  const id = ids.get('pager_integration') ?? '';
  const dataSource = await at.core.readData('pager_integration', { id });
  assert.deepEqual(
    [errorsOf(dataSource.diagnostics), fieldOf(dataSource.state.value, 'id')],
    [[], id],
  );
  assert.match(warningsOf(dataSource.diagnostics).join(), /They are null here/);
  for (const name of ['token', 'webhook_url', 'email_address'])
    assert.equal(fieldOf(dataSource.state.value, name), null);
});

test('an older API cannot read or archive a schedule, which is not taken for gone', async () => {
  await using at = await startProvider();
  const type = 'pager_oncall_schedule';
  const made = await at.core.make(type, configs(at)[type] ?? {});
  at.proxy.instead = beforeScheduleRoutes;
  const read = await at.core.read(type, made);
  const archived = await at.core.apply(type, await at.core.plan(type, null, made), made);
  for (const { state, diagnostics } of [read, archived]) {
    assert.deepEqual(state, made);
    assert.match(
      errorsOf(diagnostics).join(),
      /unknown route: Unknown route: (GET|DELETE) \/on-calls\/.* \(request r\).* pager_oncall_schedule/s,
    );
  }
  const dataSource = await at.core.readData(type, { id: idOf(made) });
  assert.equal(fieldOf(dataSource.state.value, 'name'), 'Shop');
});

test('a plan names the people of the layers whose shifts it regenerates', async () => {
  await using at = await startProvider();
  const type = 'pager_oncall_schedule';
  const config = configs(at)[type] ?? {};
  const made = await at.core.make(type, config);
  const layers = [{ users: [at.ada], rotation: { ...turns, handoff: '09:00' } }];
  const { diagnostics } = await at.core.plan(type, { ...config, layers }, made);
  assert.match(
    warningsOf(diagnostics).join(),
    /Layer 1 \(ada.*\) is edited: its shifts are regenerated/i,
  );
  const renamed = await at.core.plan(type, { ...config, name: 'Store' }, made);
  assert.doesNotMatch(warningsOf(renamed.diagnostics).join(), /regenerated/);
});

test('the creation of a record that -replace replaces reports nothing, for Terraform drops that', async () => {
  await using at = await startProvider();
  const type = 'pager_oncall_schedule';
  const config = configs(at)[type] ?? {};
  const { privateState } = await at.core.make(type, config);
  const warningsWith = async (bytes: Uint8Array) => {
    const prior = { value: null, privateState: bytes };
    return warningsOf((await at.core.plan(type, config, prior)).diagnostics).length;
  };
  assert.deepEqual(
    [await warningsWith(new Uint8Array()), await warningsWith(privateState)],
    [1, 0],
  );
});

test('a plan tells what a change removes that only the dashboard can set', async () => {
  await using at = await startProvider();
  const type = 'pager_oncall_schedule';
  const config = configs(at)[type] ?? {};
  const made = await at.core.make(type, config);
  const layers = [{ users: [at.ada, null], rotation: turns, ends_at: '2099-01-01T00:00:00Z' }];
  await at.api.send(at.key, `PATCH /on-calls/${idOf(made)}`, { body: { layers } });
  const { state } = await at.core.read(type, made);
  const asItIs = { ...config, layers: [{ users: [at.ada], rotation: turns }] };
  const unchanged = await at.core.plan(type, asItIs, state);
  assert.doesNotMatch(warningsOf(unchanged.diagnostics).join(), /loses/);
  const changed = { ...config, layers: [{ users: [at.ada], rotation: { ...turns, length: 3 } }] };
  const { diagnostics } = await at.core.plan(type, changed, state);
  assert.match(warningsOf(diagnostics).join(), /loses turns with nobody and its end at 2099-01-01/);
});

test('a state of another version is read as far as it is known', async () => {
  const core = new Core();
  const json = JSON.stringify({ id: 'a', name: 'Shop', color: 'red', unknown: { a: [1] } });
  const raw = { json: Buffer.from(json) };
  const privateState = Buffer.from('{"version":3}');
  const request = { type_name: 'pager_service', version: 0, raw_state: raw };
  const { upgraded_state } = await core.call('UpgradeResourceState', request);
  const moving = {
    source_provider_address: 'registry.opentofu.org/pager/pager',
    source_type_name: 'pager_service',
    source_state: raw,
    source_private: privateState,
    target_type_name: 'pager_service',
  };
  const moved = await core.call('MoveResourceState', moving);
  assert.deepEqual(moved.target_state, upgraded_state);
  assert.deepEqual(Buffer.from(moved.target_private), privateState);
  for (const other of [
    { source_provider_address: 'registry.terraform.io/acme/other' },
    { source_type_name: 'pager_integration' },
  ]) {
    const { diagnostics } = await core.call('MoveResourceState', { ...moving, ...other });
    assert.match(errorsOf(diagnostics).join(), /cannot be moved to a pager_service/);
  }
});

test('a damaged state is told as that', async () => {
  const core = new Core();
  for (const damaged of ['{"id":', '{"counter":"x"}', '{"name":{}}', '[]']) {
    const raw_state = { json: Buffer.from(damaged) };
    const request = { type_name: 'pager_service', version: 0, raw_state };
    const { diagnostics, upgraded_state } = await core.call('UpgradeResourceState', request);
    assert.equal(upgraded_state, undefined);
    assert.match(errorsOf(diagnostics).join(), /^The state of a pager_service cannot be read/);
  }
});
