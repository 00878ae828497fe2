// The token of an integration as an ephemeral resource.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fieldOf } from '../../src/terraform/convert.ts';
import { integrationToken } from '../../src/terraform/ephemeral/integration-token.ts';
import { decodeValue, encodeValue, type Value } from '../../src/terraform/protocol/value.ts';
import { objectType } from '../../src/terraform/schema.ts';
import { errorsOf } from './core.ts';
import { startProvider } from './running-provider.ts';
import { existingIn, startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

const { typeName: type_name, attributes } = integrationToken;
const type = objectType(attributes);
type Provider = Awaited<ReturnType<typeof startProvider>>;

const configOf = (fields: { readonly [name: string]: Value }) => ({
  type_name,
  config: { msgpack: encodeValue(type, fields) },
});

async function open({ core }: Provider, integration_id: string) {
  const answer = await core.call('OpenEphemeralResource', configOf({ integration_id }));
  const { result, diagnostics } = answer;
  const value = result === undefined ? null : decodeValue(type, result.msgpack);
  return { value, errors: errorsOf(diagnostics) };
}

async function anIntegration(at: Provider): Promise<string> {
  const [service = ''] = at.existing['service'] ?? [];
  const [policy = ''] = at.existing['escalation_policy'] ?? [];
  return at.integration(service, policy);
}

test('the token and the addresses of an integration are read by its id', async () => {
  await using at = await startProvider();
  const id = await anIntegration(at);
  const { value, errors } = await open(at, id);
  assert.deepEqual(errors, []);
  const answer = await at.client.send({ method: 'GET', path: `/integrations/${id}` });
  assert.ok(answer.ok);
  assert.match(String(fieldOf(value, 'token')), /^[0-9a-f]{40}$/);
  for (const name of ['token', 'webhook_url', 'email_address'])
    assert.equal(fieldOf(value, name), answer.body[name]);
});

test('one that is missing or archived has no token', async () => {
  await using at = await startProvider();
  const missing = await open(at, '0123456789abcdef01234567');
  assert.match(missing.errors.join(), /^Could not read the token of the integration "0123/);
  const id = await anIntegration(at);
  await at.client.send({ method: 'DELETE', path: `/integrations/${id}` });
  const archived = await open(at, id);
  assert.match(archived.errors.join(), /is archived\. Events sent with its token/);
  assert.deepEqual([missing.value, archived.value], [null, null]);
});

test('a key that may read no secrets reads no token', async () => {
  await using at = await startProvider();
  const id = await anIntegration(at);
  const viewer = at.world.caller({ role: 'viewer' });
  await at.api.send(viewer, 'GET /services');
  await at.core.configure({ ...at.settings, api_key: viewer.id });
  const { value, errors } = await open(at, id);
  assert.equal(value, null);
  assert.match(errors.join(), /The API key cannot read secrets\. .* role manager or above/);
});

test('an empty id, and what only the service sets, are refused', async () => {
  await using at = await startProvider();
  const wrong = configOf({ integration_id: '', token: 'a' });
  const { diagnostics } = await at.core.call('ValidateEphemeralResourceConfig', wrong);
  assert.deepEqual(
    errorsOf(diagnostics).map((text) => text.split(':')[0]),
    ['Invalid Configuration for Read-Only Attribute', 'Invalid integration_id'],
  );
});

test('in a real Terraform, a token goes on into a write-only attribute, and is stored nowhere', {
  skip: noTerraform ?? false,
}, async () => {
  await using at = await startTerraform();
  const { integration } = await existingIn(at);
  await at.workspace.configure(`
    ephemeral "pager_integration_token" "this" {
      integration_id = "${integration[0]}"
    }
    resource "pager_outbound_webhook" "loop" {
      name           = "Loop"
      url_wo         = ephemeral.pager_integration_token.this.webhook_url
      url_wo_version = 1
    }`);
  assert.equal((await at.changes()).length, 1);
  await at.apply();
  assert.deepEqual(await at.changes(), []);
  const integrations = await at.server.api.list('integrations');
  const { webhook_url, token } =
    integrations.find(({ id }) => id === integration[0]) ?? assert.fail();
  const webhooks = await at.server.api.list('outbound-webhooks');
  assert.equal(webhooks.find(({ name }) => name === 'Loop')?.url, webhook_url);
  const state = await readFile(join(at.workspace.folder, 'terraform.tfstate'), 'utf8');
  assert.ok(!(state + (await at.succeeds('show', '-json', 'planned'))).includes(token));
});
