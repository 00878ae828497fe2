// The signing secret of a webhook as an ephemeral resource.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fieldOf } from '../../src/terraform/convert.ts';
import { webhookSecret } from '../../src/terraform/ephemeral/webhook-secret.ts';
import { decodeValue, encodeValue } from '../../src/terraform/protocol/value.ts';
import { objectType } from '../../src/terraform/schema.ts';
import { anyDatabase } from '../database.ts';
import { inProcessKey, startInProcess } from '../system/in-process.ts';
import { Core, errorsOf } from './core.ts';
import { startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

const { typeName: type_name, attributes } = webhookSecret;
const type = objectType(attributes);
const url = 'https://tickets.example.com/';

async function start() {
  const server = await startInProcess(await anyDatabase(), {});
  const core = new Core();
  const base_url = `${server.url}/api/v1`;
  await core.configure({ api_key: inProcessKey, base_url });
  const open = async (outbound_webhook_id: string) => {
    const config = { msgpack: encodeValue(type, { outbound_webhook_id }) };
    const answer = await core.call('OpenEphemeralResource', { type_name, config });
    const { result, diagnostics } = answer;
    const value = result === undefined ? null : decodeValue(type, result.msgpack);
    return { value, errors: errorsOf(diagnostics).join() };
  };
  return {
    server,
    core,
    base_url,
    open,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test('it is the newest secret, and all that sign are beside it', async () => {
  await using at = await start();
  const { api } = at.server;
  const { id } = await api.create('outbound-webhooks', { name: 'Tickets', url });
  const [{ secret: first }] = (await api.send(`GET /outbound-webhooks/${id}/secrets`)).body.data;
  const one = await at.open(id);
  assert.deepEqual(one, {
    value: { outbound_webhook_id: id, secret: first, secrets: [first] },
    errors: '',
  });
  assert.match(String(first), /^whsec_/);
  const { secret: second } = await api.create(`outbound-webhooks/${id}/secrets`, {});
  const two = (await at.open(id)).value;
  assert.deepEqual([fieldOf(two, 'secret'), fieldOf(two, 'secrets')], [second, [first, second]]);
});

test('one of a missing or archived webhook is not read, nor by a key below manager', async () => {
  await using at = await start();
  const { api } = at.server;
  const { id } = await api.create('outbound-webhooks', { name: 'Tickets', url });
  const viewer = await api.create('api-keys', { name: 'v', role: 'responder' });
  await at.core.configure({ api_key: viewer.key, base_url: at.base_url });
  const refused = await at.open(id);
  assert.match(refused.errors, /^Could not read the secret .* role manager or above/);
  await at.core.configure({ api_key: inProcessKey, base_url: at.base_url });
  const missing = await at.open('f'.repeat(24));
  assert.match(missing.errors, /^Could not read the secret of the outbound webhook "f+"/);
  await api.send(`DELETE /outbound-webhooks/${id}`);
  const archived = await at.open(id);
  assert.match(archived.errors, /is archived and signs no deliveries/);
  assert.deepEqual([refused.value, missing.value, archived.value], [null, null, null]);
});

test('in a real Terraform, the secret of a new webhook goes on into a write-only attribute, and is stored nowhere', {
  skip: noTerraform ?? false,
}, async () => {
  await using at = await startTerraform();
  const { api } = at.server;
  await at.workspace.configure(`
    resource "pager_outbound_webhook" "tickets" {
      name = "Tickets"
      url  = "${url}"
    }
    ephemeral "pager_webhook_secret" "tickets" {
      outbound_webhook_id = pager_outbound_webhook.tickets.id
    }
    resource "pager_outbound_webhook" "receiver" {
      name           = "Receiver"
      url_wo         = "https://r.test/\${ephemeral.pager_webhook_secret.tickets.secret}"
      url_wo_version = 1
    }`);
  assert.equal((await at.changes()).length, 2);
  await at.apply();
  assert.deepEqual(await at.changes(), []);
  const webhooks = await api.list('outbound-webhooks');
  const named = (name: string) => webhooks.find((one) => one.name === name);
  const path = `/outbound-webhooks/${named('Tickets')?.id}/secrets`;
  const [{ secret }] = (await api.send(`GET ${path}`)).body.data;
  assert.equal(named('Receiver')?.url, `https://r.test/${secret}`);
  const state = await readFile(join(at.workspace.folder, 'terraform.tfstate'), 'utf8');
  assert.equal((state + (await at.succeeds('show', '-json', 'planned'))).includes(secret), false);
});
