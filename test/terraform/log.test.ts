import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

const url = 'https://hooks.example.test/secret-path';

test('a log of Terraform has each request and its tries, and no secrets', {
  skip: noTerraform ?? false,
}, async () => {
  await using at = await startTerraform({}, { TF_LOG: 'debug' }, 'started');
  const { id, key } = await at.server.api.create('api-keys', { name: 't', role: 'manager' });
  const [{ email }] = await at.server.api.list('users');
  let creations = 0;
  at.proxy.instead = ({ method, path }) => {
    if (method !== 'POST' || path !== '/outbound-webhooks') return undefined;
    creations += 1;
    const body = { error: 'unavailable', message: `Not now, ${key}.`, issues: [], request_id: 'r' };
    return creations === 1 ? { status: 503, body } : undefined;
  };
  await at.configure({
    provider: { pager: { api_key: key } },
    resource: { pager_outbound_webhook: { one: { name: 'one', url } } },
    data: { pager_user: { ada: { email } } },
  });
  const { code, errors } = await at.workspace.run('apply', '-auto-approve', '-input=false');
  assert.equal(code, 0, errors);
  const lines = errors.split('\n').filter((line) => /terraform-provider-pager/.test(line));
  const log = lines.join('\n');
  const line = (text: string) => lines.find((each) => each.includes(text)) ?? '';
  assert.match(line('POST /outbound-webhooks: 503 unavailable; retrying'), /again_in_ms=\d/);
  assert.match(line('POST /outbound-webhooks: 201'), /try=2/);
  for (const field of [/ms=\d/, /outcome=200/, /try=1/, /request_id=[0-9a-f]{24}/])
    assert.match(line('GET /users: 200'), field);
  for (const secret of [id, key, url, email]) assert.ok(!log.includes(secret));
});
