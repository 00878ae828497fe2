// Keys of other services: the provider's calls, and the real Terraform.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are Terraform's.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fieldOf } from '../../src/terraform/convert.ts';
import { managed, managedAs } from '../../src/terraform/managed.ts';
import { encodeValue, Unknown } from '../../src/terraform/protocol/value.ts';
import { anyDatabase } from '../database.ts';
import { type InProcess, inProcessKey, startInProcess } from '../system/in-process.ts';
import { Core, errorsOf, type State, warningsOf } from './core.ts';
import { startProvider } from './running-provider.ts';
import { type RunningTerraform, startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

const type = 'pager_integration_key';
const kind = 'pagerduty';
let keys = 0;
/** No two integrations have the same. */
function newKey(): string {
  keys += 1;
  return `0123456789abcdef0123456789ab${String(keys).padStart(4, '0')}`;
}

const idOf = ({ value }: State) => String(fieldOf(value, 'id'));

describe('an adopted key', () => {
  const core = new Core();
  let server: InProcess;
  let integration: { readonly id: string; readonly counter: number };
  before(async () => {
    server = await startInProcess(await anyDatabase(), {});
    await core.configure({ api_key: inProcessKey, base_url: `${server.url}/api/v1` });
    integration = await newIntegration();
  });
  after(() => server[Symbol.asyncDispose]());

  async function newIntegration() {
    const [{ id: user_id }] = await server.api.list('users');
    const service = await server.api.create('services', { name: 's' });
    const steps = [{ targets: [{ via: 'email', user_id }] }];
    const policy = await server.api.create('escalation-policies', { name: 'p', steps });
    const of = { service_id: service.id, escalation_policy_id: policy.id };
    return server.api.create('integrations', { slug: 'webhook', ...of });
  }
  const config = (key = newKey()) => ({ integration_id: integration.id, kind, key });
  const path = (made: State) => `/integrations/${integration.id}/adopted-keys/${idOf(made)}`;

  test('it is created, read, and has nothing left to do; no state has the key', async () => {
    const configured = config();
    const made = await core.make(type, configured);
    const shown = { ...configured, key: null, last4: configured.key.slice(-4) };
    assert.deepEqual(made.value, { id: idOf(made), ...shown });
    assert.deepEqual(await core.read(type, made), { state: made, diagnostics: [] });
    const planned = await core.plan(type, configured, made);
    assert.equal(planned.isChange, false);
    for (const { value, privateState } of [made, planned.state]) {
      assert.doesNotMatch(JSON.stringify(value), new RegExp(configured.key));
      assert.doesNotMatch(Buffer.from(privateState).toString(), new RegExp(configured.key));
    }
  });

  test('its end is known by the plan, and of a key that is unknown after the apply', async () => {
    const configured = config();
    const known = await core.plan(type, configured);
    assert.equal(fieldOf(known.state.value, 'last4'), configured.key.slice(-4));
    const late = { ...configured, key: new Unknown() };
    assert.ok(fieldOf((await core.plan(type, late)).state.value, 'last4') instanceof Unknown);
    const made = await core.make(type, configured);
    assert.equal((await core.plan(type, late, made)).isChange, false);
  });

  test('another key, kind or integration replaces it', async () => {
    const configured = config();
    const made = await core.make(type, configured);
    const { id } = await newIntegration();
    for (const other of [{ key: newKey() }, { kind: 'opsgenie' }, { integration_id: id }]) {
      const planned = await core.plan(type, { ...configured, ...other }, made);
      assert.equal(planned.replaces, true, JSON.stringify(other));
    }
  });

  test('it is removed, and removing it again is fine', async () => {
    const made = await core.make(type, config());
    for (const _time of [1, 2]) assert.equal((await core.make(type, null, made)).value, null);
    assert.equal((await server.api.send(`GET ${path(made)}`)).status, 404);
  });

  test('one that somebody removed is gone, with a word about it', async () => {
    const made = await core.make(type, config());
    await server.api.send(`DELETE ${path(made)}`);
    const { state, diagnostics } = await core.read(type, made);
    assert.equal(state.value, null);
    assert.match(warningsOf(diagnostics).join(), /integration key .* is not found/);
  });

  test('it is imported by its integration, and has nothing left to do', async () => {
    const configured = config();
    const made = await core.make(type, configured);
    for (const owner of [integration.id, integration.counter]) {
      const { state, diagnostics } = await core.import(type, `${owner}/${idOf(made)}`);
      assert.deepEqual(diagnostics, []);
      assert.deepEqual(state.value, made.value);
      assert.equal((await core.plan(type, configured, state)).isChange, false);
      assert.equal((await core.plan(type, config(), state)).replaces, true);
    }
    const missing = await core.import(type, `${integration.id}/${'f'.repeat(24)}`);
    assert.match(errorsOf(missing.diagnostics).join(), /is not found/);
    const unreadable = await core.import(type, idOf(made));
    assert.match(
      errorsOf(unreadable.diagnostics).join(),
      /must have the form <integration_id>\/<id>/,
    );
  });

  test('a key that stands for an integration already is told at its place', async () => {
    const configured = config();
    const made = await core.make(type, configured);
    const again = await core.apply(type, await core.plan(type, configured));
    const own = new RegExp(`key already belongs to this integration, as .* ${idOf(made)}`);
    assert.match(errorsOf(again.diagnostics).join(), own);
    assert.equal(again.state.value, null);
    const { id } = await newIntegration();
    const other = await core.plan(type, { ...configured, integration_id: id });
    const { diagnostics } = await core.apply(type, other);
    assert.match(errorsOf(diagnostics).join(), /key already belongs to another integration/);
  });

  test('it is removed from an integration that was archived', async () => {
    const { id } = await newIntegration();
    const configured = { ...config(), integration_id: id };
    const made = await core.make(type, configured);
    await server.api.send(`DELETE /integrations/${id}`);
    assert.deepEqual(await core.read(type, made), { state: made, diagnostics: [] });
    assert.equal((await core.make(type, null, made)).value, null);
    const next = await core.make(type, { ...configured, integration_id: integration.id });
    assert.equal(fieldOf(next.value, 'last4'), configured.key.slice(-4));
  });

  test('what is wrong is told at its place, by the validation', async () => {
    const wrong = await core.validate(type, { ...config('with space'), kind: 'pagertree' });
    assert.match(errorsOf(wrong).join(), /kind must be one of pagerduty/);
    assert.match(errorsOf(wrong).join(), /key must be printable ASCII characters without spaces/);
    assert.deepEqual(await core.validate(type, config()), []);
  });

  test('a Terraform that would store the key is refused', async () => {
    const value = { id: null, last4: null, ...config() };
    const { diagnostics } = await core.call('ValidateResourceConfig', {
      type_name: type,
      client_capabilities: { write_only_attributes_allowed: false },
      config: { msgpack: encodeValue(managedAs(managed, type).type, value) },
    });
    assert.match(errorsOf(diagnostics).join(), /attribute key\. .* in Terraform 1\.11 and later/);
  });
});

test('where the answer to a creation is lost, the next apply names what to import', async () => {
  await using at = await startProvider();
  const integration_id = await at.integration(
    await at.make('services', { name: 's' }),
    await at.policy(),
  );
  await at.core.configure({ ...at.settings, max_retries: 0 });
  at.proxy.done = async ({ method }) => (method === 'POST' ? 'lost' : undefined);
  const config = { integration_id, kind, key: newKey() };
  const lost = await at.core.apply(type, await at.core.plan(type, config));
  assert.match(errorsOf(lost.diagnostics).join(), /may have been created anyway/);
  assert.equal(lost.state.value, null);
  at.proxy.done = async () => undefined;
  await at.core.configure(at.settings);
  const next = await at.core.apply(type, await at.core.plan(type, config));
  const [, id] = /the adopted key (\w{24})/.exec(errorsOf(next.diagnostics).join()) ?? [];
  const { state } = await at.core.import(type, `${integration_id}/${id}`);
  assert.equal((await at.core.plan(type, config, state)).isChange, false);
});

test('Terraform adopts, replaces, imports and removes a key, and stores it nowhere', {
  skip: noTerraform ?? false,
}, async () => {
  const [first, second] = [newKey(), newKey()];
  await using at: RunningTerraform = await startTerraform(
    {},
    { TF_VAR_first: first, TF_VAR_second: second },
  );
  const variable = { type: 'string', ephemeral: true };
  const configured = (key: string) =>
    at.configure({
      variable: { first: variable, second: variable },
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
        [type]: { old: { integration_id: '${pager_integration.shop.id}', kind, key } },
      },
    });
  const stored = async () =>
    (await readFile(join(at.workspace.folder, 'terraform.tfstate'), 'latin1')) +
    (await at.succeeds('show', '-json', 'planned'));

  await configured('${var.first}');
  await at.changes();
  await at.apply('planned');
  assert.deepEqual(await at.changes(), []);
  assert.doesNotMatch(await stored(), new RegExp(first));

  await configured('${var.second}');
  const [change, ...others] = await at.changes();
  assert.deepEqual(
    [change?.address, change?.actions, others],
    [`${type}.old`, 'delete create', []],
  );
  await at.apply('planned');
  assert.deepEqual(await at.changes(), []);

  const state = await at.state();
  const { id, integration_id } = state.get(`${type}.old`) ?? {};
  await at.succeeds('state', 'rm', `${type}.old`);
  await at.succeeds('import', `${type}.old`, `${integration_id}/${id}`);
  assert.deepEqual(await at.changes(), []);
  assert.doesNotMatch(await stored(), new RegExp(second));
  await at.succeeds('destroy', '-auto-approve');
  const path = `/integrations/${integration_id}/adopted-keys/${id}`;
  assert.equal((await at.server.api.send(`GET ${path}`)).status, 404);
});
