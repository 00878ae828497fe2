// Mappings of integrations: the provider's calls, and the real Terraform.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are Terraform's.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { fieldOf } from '../../src/terraform/convert.ts';
import { Unknown, type Value } from '../../src/terraform/protocol/value.ts';
import { anyDatabase } from '../database.ts';
import { type InProcess, inProcessKey, startInProcess } from '../system/in-process.ts';
import { Core, errorsOf, type State, warningsOf } from './core.ts';
import { startProvider } from './running-provider.ts';
import { type RunningTerraform, startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

const type = 'pager_integration_mapping';

const form = {
  when: ['probe.id'],
  each: 'probes',
  title: ['{probe.label}: {cause}', 'probe.label'],
  name: ['probe.label'],
  message: ['cause'],
  key: [['probe.id'], ['probe.label', 'probe.site']],
  state: [
    {
      at: ['condition'],
      trigger: 'broken',
      resolve: 'working',
      nothing: '/test/',
      else: 'trigger',
    },
  ],
  severity: { at: ['condition'], sev1: 'broken', else: 'sev3' },
  priority: { at: ['rank'], p1: '1', p2: '2' },
  links: { Panel: ['panel_url'], Runbook: ['runbook', 'probe.runbook'] },
  until: ['ends'],
  omit: ['token'],
};
const forms = [form, { title: ['summary'] }];

describe('a mapping', () => {
  const core = new Core();
  let server: InProcess;
  let integration: { readonly id: string; readonly counter: number };
  before(async () => {
    server = await startInProcess(await anyDatabase(), {});
    await core.configure({ api_key: inProcessKey, base_url: `${server.url}/api/v1` });
  });
  after(() => server[Symbol.asyncDispose]());
  beforeEach(async () => {
    integration = await newIntegration();
  });

  async function newIntegration() {
    const [{ id: user_id }] = await server.api.list('users');
    const service = await server.api.create('services', { name: 's' });
    const steps = [{ targets: [{ via: 'email', user_id }] }];
    const policy = await server.api.create('escalation-policies', { name: 'p', steps });
    const of = { service_id: service.id, escalation_policy_id: policy.id };
    return server.api.create('integrations', { slug: 'webhook', ...of });
  }
  const config = (of: readonly Value[] = forms) => ({
    integration_id: integration.id,
    forms: [...of],
  });
  const path = () => `/integrations/${integration.id}/mapping`;
  const stored = async () => (await server.api.send(`GET ${path()}`)).body;
  const isClean = async (configured: { readonly [name: string]: Value }, state: State) =>
    !(await core.plan(type, configured, state)).isChange;

  test('it is created with each field, read, changed, and has nothing left to do', async () => {
    const made = await core.make(type, config());
    assert.deepEqual((await stored()).forms, forms);
    assert.equal(fieldOf(made.value, 'id'), integration.id);
    assert.equal(fieldOf(made.value, 'revision'), 1);
    const { state, diagnostics } = await core.read(type, made);
    assert.deepEqual(diagnostics, []);
    assert.deepEqual(state.value, made.value);
    assert.ok(await isClean(config(), state));
    const fewer = config([{ title: ['headline'] }]);
    const planned = await core.plan(type, fewer, state);
    assert.ok(fieldOf(planned.state.value, 'revision') instanceof Unknown);
    assert.equal(planned.replaces, false);
    const changed = await core.make(type, fewer, state);
    assert.equal(fieldOf(changed.value, 'revision'), 2);
    assert.deepEqual((await stored()).forms, fewer.forms);
    assert.ok(await isClean(fewer, changed));
  });

  test('what others change of it is seen, and undone', async () => {
    const made = await core.make(type, config());
    await server.api.send(`PUT ${path()}`, { forms: [{ title: ['other'] }] });
    const { state } = await core.read(type, made);
    assert.equal(await isClean(config(), state), false);
    const again = await core.make(type, config(), state);
    assert.deepEqual((await stored()).forms, forms);
    assert.equal(fieldOf(again.value, 'revision'), 3);
  });

  test('it is removed, and removing it again is fine', async () => {
    const made = await core.make(type, config());
    for (const _time of [1, 2]) assert.equal((await core.make(type, null, made)).value, null);
    assert.deepEqual((await stored()).forms, []);
  });

  test('one that somebody removed is gone, and so is one of an archived integration', async () => {
    const made = await core.make(type, config());
    await server.api.send(`DELETE ${path()}`);
    const removed = await core.read(type, made);
    assert.equal(removed.state.value, null);
    assert.match(warningsOf(removed.diagnostics).join(), /integration mapping .* is not found/);
    const anew = await core.make(type, config());
    await server.api.send(`DELETE /integrations/${integration.id}`);
    const archived = await core.read(type, anew);
    assert.equal(archived.state.value, null);
    assert.match(warningsOf(archived.diagnostics).join(), /integration mapping .* is archived/);
    assert.equal((await core.make(type, null, anew)).value, null);
  });

  test('it is imported by its integration, and has nothing left to do', async () => {
    const made = await core.make(type, config());
    for (const named of [integration.id, String(integration.counter)]) {
      const { state, diagnostics } = await core.import(type, named);
      assert.deepEqual(diagnostics, []);
      assert.deepEqual(state.value, made.value);
      assert.ok(await isClean(config(), state));
    }
    await server.api.send(`DELETE ${path()}`);
    const missing = await core.import(type, integration.id);
    assert.match(errorsOf(missing.diagnostics).join(), /is not found/);
    const unreadable = await core.import(type, 'pumps');
    assert.match(errorsOf(unreadable.diagnostics).join(), /Invalid import id/);
  });

  test('another integration replaces it', async () => {
    const made = await core.make(type, config());
    const { id } = await newIntegration();
    const planned = await core.plan(type, { ...config(), integration_id: id }, made);
    assert.equal(planned.replaces, true);
  });

  test('one that is there already is not written over, unless it is the same', async () => {
    await server.api.send(`PUT ${path()}`, { forms: [{ title: ['by.hand'] }] });
    const refused = await core.apply(type, await core.plan(type, config()));
    assert.match(
      errorsOf(refused.diagnostics).join(),
      /integration_id already has a different one: import it/,
    );
    assert.equal(refused.state.value, null);
    assert.deepEqual((await stored()).forms, [{ title: ['by.hand'] }]);
    const same = await core.make(type, config([{ title: ['by.hand'] }]));
    assert.equal(fieldOf(same.value, 'revision'), 1);
  });

  test('a change of the integration leaves it as it is', async () => {
    await core.make(type, config());
    const { service_id, escalation_policy_id } = (
      await server.api.send(`GET /integrations/${integration.id}`)
    ).body;
    const whole = { name: 'Other', slug: 'webhook', service_id, escalation_policy_id };
    const put = await server.api.send(`PUT /integrations/${integration.id}`, whole);
    assert.equal(put.status, 200);
    assert.deepEqual((await stored()).forms, forms);
  });

  test('shapes are checked by the validation, places by the API, each at its path', async () => {
    const wrong = config([
      { title: [], severity: { sev1: 'a' }, state: [{ at: ['a'], else: 'maybe' }] },
    ]);
    const invalid = errorsOf(await core.validate(type, wrong)).join('\n');
    assert.match(invalid, /forms\[0\]\.title must not be empty/);
    assert.match(invalid, /forms\[0\]\.severity\.at is required/);
    assert.match(invalid, /forms\[0\]\.state\[0\]\.else must be one of trigger/);
    assert.match(errorsOf(await core.validate(type, config([]))).join(), /forms must not be empty/);
    assert.deepEqual(await core.validate(type, config()), []);
    const late = { integration_id: new Unknown(), forms: new Unknown() };
    assert.deepEqual(await core.validate(type, late), []);
    const unread = await core.plan(type, config([{ title: ['a'] }, { key: [['a > sideways']] }]));
    const { diagnostics, state } = await core.apply(type, unread);
    assert.match(
      errorsOf(diagnostics).join(),
      /forms\[1\]\.key\[0\]\[0\] sideways is not a filter/,
    );
    assert.equal(state.value, null);
  });
});

test('where the answer to a write is lost, the next apply finds what was written', async () => {
  await using at = await startProvider();
  const integration_id = await at.integration(
    await at.make('services', { name: 's' }),
    await at.policy(),
  );
  await at.core.configure({ ...at.settings, max_retries: 0 });
  at.proxy.done = async ({ method }) => (method === 'PUT' ? 'lost' : undefined);
  const config = { integration_id, forms };
  const lost = await at.core.apply(type, await at.core.plan(type, config));
  assert.match(errorsOf(lost.diagnostics).join(), /may have been written anyway/);
  assert.equal(lost.state.value, null);
  at.proxy.done = async () => undefined;
  await at.core.configure(at.settings);
  const made = await at.core.make(type, config);
  assert.equal(fieldOf(made.value, 'revision'), 1);
});

test('Terraform writes, changes, imports and removes a mapping', {
  skip: noTerraform ?? false,
}, async () => {
  await using at: RunningTerraform = await startTerraform();
  const configured = (of: readonly object[]) =>
    at.configure({
      data: { pager_user: { owner: { email: 'owner@example.test' } } },
      resource: {
        pager_service: { shop: { name: 'Shop' } },
        pager_escalation_policy: {
          shop: {
            name: 'Shop',
            steps: [{ targets: [{ via: 'email', user_id: '${data.pager_user.owner.id}' }] }],
          },
        },
        pager_integration: {
          shop: {
            slug: 'webhook',
            service_id: '${pager_service.shop.id}',
            escalation_policy_id: '${pager_escalation_policy.shop.id}',
          },
        },
        [type]: { shop: { integration_id: '${pager_integration.shop.id}', forms: of } },
      },
    });
  await configured(forms);
  await at.apply();
  assert.deepEqual(await at.changes(), []);
  const { integration_id, revision } = (await at.state()).get(`${type}.shop`) ?? {};
  assert.equal(revision, 1);
  const path = `/integrations/${integration_id}/mapping`;
  assert.deepEqual((await at.server.api.send(`GET ${path}`)).body.forms, forms);

  await at.server.api.send(`PUT ${path}`, { forms: [{ title: ['by.hand'] }] });
  const [change] = await at.changes();
  assert.deepEqual([change?.address, change?.actions], [`${type}.shop`, 'update']);
  assert.deepEqual(change?.attributes, ['forms', 'revision']);
  await at.apply('planned');
  assert.deepEqual(await at.changes(), []);

  await at.succeeds('state', 'rm', `${type}.shop`);
  await at.succeeds('import', `${type}.shop`, String(integration_id));
  assert.deepEqual(await at.changes(), []);

  await configured([{ title: ['a'], state: [{ at: ['b'], else: 'maybe' }] }]);
  await at.fails(/forms\[0\].state\[0\].else must be one of trigger/, 'validate');
  await configured([{ title: ['a > sideways'] }]);
  await at.fails(/forms\[0\].title\[0\] sideways is not a filter/, 'apply', '-auto-approve');
  await configured([{ title: ['a'] }]);
  await at.apply();
  await at.succeeds('destroy', '-auto-approve', '-target', `${type}.shop`);
  assert.deepEqual((await at.server.api.send(`GET ${path}`)).body.forms, []);
});
