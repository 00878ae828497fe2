// The token of an integration is rotated in place, when token_version changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf } from '../../src/terraform/convert.ts';
import { Unknown, type Value } from '../../src/terraform/protocol/value.ts';
import { postJson } from '../system/api-client.ts';
import { errorsOf, type State, warningsOf } from './core.ts';
import { startProvider } from './running-provider.ts';
import { existingIn, startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

const integration = 'pager_integration';
const secrets = ['token', 'webhook_url', 'email_address'] as const;

async function setting() {
  const at = await startProvider();
  const [service_id = ''] = at.existing['service'] ?? [];
  const [escalation_policy_id = ''] = at.existing['escalation_policy'] ?? [];
  const withVersion = (token_version: Value, more = {}) => ({
    slug: 'webhook',
    service_id,
    escalation_policy_id,
    token_version,
    ...more,
  });
  return {
    ...at,
    withVersion,
    make: (token_version: Value, prior?: State) =>
      at.core.make(integration, withVersion(token_version), prior),
    refreshed: async (state: State) => (await at.core.read(integration, state)).state,
    /** What the service has, whatever Terraform knows. */
    async tokenOf({ value }: State): Promise<unknown> {
      const path = `/integrations/${fieldOf(value, 'id')}`;
      const answer = await at.client.send({ method: 'GET', path });
      assert.ok(answer.ok);
      return answer.body['token'];
    },
    rotations: () => at.proxy.passed.filter((line) => line.endsWith('/rotate-token')).length,
  };
}

const token = ({ value }: State) => fieldOf(value, 'token');
const unknownIn = ({ value }: State) =>
  Object.entries(value as object).flatMap(([name, one]) => (one instanceof Unknown ? [name] : []));

test('another number rotates the token, which a plan shows with what is made of it', async () => {
  await using at = await setting();
  const first = await at.make(1);
  const planned = await at.core.plan(integration, at.withVersion(2), first);
  assert.deepEqual(unknownIn(planned.state).sort(), [...secrets].sort());
  assert.equal(planned.replaces, false);
  const [warning = ''] = warningsOf(planned.diagnostics);
  assert.match(warning, /The token is rotated\. .* is accepted for 24 more hours\.$/);
  const { state: second } = await at.core.apply(integration, planned, first);
  assert.notEqual(token(second), token(first));
  assert.equal(token(second), await at.tokenOf(second));
  for (const name of secrets)
    assert.ok(String(fieldOf(second.value, name)).includes(String(token(second))), name);
  const again = await at.core.plan(integration, at.withVersion(2), await at.refreshed(second));
  assert.equal(again.isChange, false);
  assert.equal(at.rotations(), 1);
});

test('a first number, one that is taken away, and a creation rotate nothing', async () => {
  await using at = await setting();
  let state = await at.make(null);
  const before = token(state);
  for (const version of [7, null, 8, 8]) {
    const planned = await at.core.plan(integration, at.withVersion(version), state);
    assert.deepEqual(unknownIn(planned.state), []);
    state = await at.refreshed(await at.make(version, state));
    assert.equal(fieldOf(state.value, 'token_version'), version);
  }
  const id = String(fieldOf(state.value, 'id'));
  const { state: imported } = await at.core.import(integration, id);
  assert.equal(fieldOf(imported.value, 'token_version'), null);
  assert.equal(token(await at.make(3, imported)), before);
  assert.equal(at.rotations(), 0);
});

test('a number that is known late rotates only if it is another one', async () => {
  await using at = await setting();
  const first = await at.make(1);
  const apply = async (is: number) => {
    const planned = await at.core.plan(integration, at.withVersion(new Unknown()), first);
    assert.deepEqual(unknownIn(planned.state).sort(), [...secrets, 'token_version'].sort());
    const value = { ...(planned.state.value as object), token_version: is };
    const config = at.withVersion(is);
    return at.core.apply(integration, { config, state: { ...planned.state, value } }, first);
  };
  const same = await apply(1);
  assert.deepEqual([token(same.state), at.rotations()], [token(first), 0]);
  const other = await apply(2);
  assert.notEqual(token(other.state), token(first));
});

test('with other changes, these are done before the rotation, and neither if they are refused', async () => {
  await using at = await setting();
  const first = await at.make(1);
  const config = at.withVersion(2, { name: 'Checks' });
  const planned = await at.core.plan(integration, config, first);
  const path = `/integrations/${fieldOf(first.value, 'id')}`;
  await at.client.send({ method: 'PATCH', path, body: { description: 'by hand' } });
  const refused = await at.core.apply(integration, planned, first);
  assert.match(errorsOf(refused.diagnostics).join(), /^Could not change the integration/);
  assert.equal(await at.tokenOf(first), token(first));
  const state = await at.core.make(integration, config, await at.refreshed(first));
  assert.equal(fieldOf(state.value, 'name'), 'Checks');
  assert.notEqual(token(state), token(first));
});

test('a rotation whose answer is lost is not done again by the next apply, whatever is forgotten', async () => {
  await using at = await setting();
  const first = await at.make(1);
  at.proxy.done = async ({ path }) => (path.endsWith('/rotate-token') ? 'lost' : undefined);
  const planned = await at.core.plan(integration, at.withVersion(2), first);
  const lost = await at.core.apply(integration, planned, first);
  const [error = ''] = errorsOf(lost.diagnostics);
  assert.match(error, /^Could not rotate the token of the integration/);
  assert.match(error, /may have been rotated anyway\. Apply again within 24 hours/);
  assert.deepEqual(lost.state.value, first.value);
  const rotated = await at.tokenOf(first);
  assert.notEqual(rotated, token(first));

  at.proxy.done = async () => undefined;
  // The provider was killed: nothing of that apply is in the state.
  await at.core.configure(at.settings);
  const second = await at.make(2, await at.refreshed(first));
  assert.equal(token(second), rotated);
  assert.equal(await at.tokenOf(second), rotated);
});

test('numbers may come back: each change is a rotation of its own', async () => {
  await using at = await setting();
  let state = await at.make(1);
  const tokens = new Set([token(state)]);
  for (const version of [2, 1, 2, 1]) {
    state = await at.make(version, await at.refreshed(state));
    tokens.add(token(state));
  }
  assert.equal(tokens.size, 5);
  const { state: imported } = await at.core.import(integration, String(fieldOf(state.value, 'id')));
  for (const version of [1, 2]) state = await at.make(version, version === 1 ? imported : state);
  assert.ok(!tokens.has(token(state)));
});

test('an API that is too old is an error, and the token stays as it was', async () => {
  await using at = await setting();
  const first = await at.make(1);
  const message = 'Unknown route';
  const tooOld = { error: 'unknown_route', message, issues: [], request_id: 'r' };
  at.proxy.instead = ({ path }) =>
    path.endsWith('/rotate-token') ? { status: 404, body: tooOld } : undefined;
  const planned = await at.core.plan(integration, at.withVersion(2), first);
  const { state, diagnostics } = await at.core.apply(integration, planned, first);
  const [error = ''] = errorsOf(diagnostics);
  assert.match(error, /is too old to support this/);
  assert.doesNotMatch(error, /may have been rotated/);
  assert.deepEqual(state.value, first.value);
  assert.equal(await at.tokenOf(first), token(first));
});

test('in a real Terraform, what uses the token follows, and both tokens are accepted', {
  skip: noTerraform ?? false,
}, async () => {
  await using at = await startTerraform();
  const { service, escalation_policy } = await existingIn(at);
  const configure = (version: string) =>
    at.workspace.configure(`
      resource "pager_integration" "checks" {
        slug                 = "webhook"
        name                 = "Checks"
        service_id           = "${service[0]}"
        escalation_policy_id = "${escalation_policy[0]}"
        ${version}
      }
      ephemeral "pager_integration_token" "checks" {
        integration_id = pager_integration.checks.id
      }
      resource "pager_outbound_webhook" "loop" {
        name           = "Loop"
        url_wo         = ephemeral.pager_integration_token.checks.webhook_url
        url_wo_version = coalesce(pager_integration.checks.token_version, 0)
      }
      output "url" {
        value     = pager_integration.checks.webhook_url
        sensitive = true
      }`);
  const urlNow = () => at.succeeds('output', '-raw', 'url');
  const loopUrl = async () => {
    const webhooks = await at.server.api.list('outbound-webhooks');
    return webhooks.find(({ name }) => name === 'Loop')?.url;
  };
  await configure('');
  await at.apply();
  const old = await urlNow();

  await configure('token_version = 1');
  const [begun] = await at.changes();
  assert.deepEqual(begun?.attributes, ['token_version']);
  await at.apply();
  assert.equal(await urlNow(), old);

  await configure('token_version = 2');
  const [rotation] = await at.changes();
  const attributes = ['email_address', 'token', 'token_version', 'webhook_url'];
  assert.deepEqual([rotation?.actions, rotation?.attributes], ['update', attributes]);
  await at.apply();
  const rotated = await urlNow();
  assert.notEqual(rotated, old);
  assert.equal(await loopUrl(), rotated);
  assert.deepEqual(await at.changes(), []);
  for (const url of [old, rotated])
    assert.equal((await postJson(url, { title: 'disk' })).status, 202);

  // What is rotated by hand is drift that needs no change.
  const [{ id } = { id: '' }] = (await at.server.api.list('integrations')).filter(
    ({ name }) => name === 'Checks',
  );
  await at.server.api.send(`POST /integrations/${id}/rotate-token`, { grace_minutes: 0 });
  assert.deepEqual(await at.changes(), []);
  await at.apply();
  assert.notEqual(await urlNow(), rotated);
});
