// A creation whose answer was lost, and that the next apply may not replace.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

const address = 'pager_service.shop';

test('an unconfirmed creation that is untainted, or must not be destroyed, has a way out that is named', {
  skip: noTerraform ?? false,
}, async () => {
  await using at = await startTerraform();
  const configure = (more = {}) =>
    at.configure({
      provider: { pager: { max_retries: 0 } },
      resource: { pager_service: { shop: { name: 'Shop', ...more } } },
    });
  await configure({ lifecycle: { prevent_destroy: true } });
  at.proxy.done = async ({ method }) => (method === 'POST' ? 'lost' : undefined);
  await at.fails(/It may have been created anyway/, 'apply', '-auto-approve', '-input=false');
  at.proxy.done = async () => undefined;

  const ways = /run terraform state rm ADDRESS\..* run terraform import ADDRESS ID/;
  const guarded = await at.workspace.run('plan', '-input=false');
  assert.equal(guarded.code, 1);
  const shown = `${guarded.output} ${guarded.errors}`.replace(/[\s│╷╵]+/g, ' ');
  assert.match(shown, /Instance cannot be destroyed/);
  assert.match(shown, ways);

  await at.succeeds('untaint', address);
  const plan = await at.succeeds('plan', '-input=false');
  assert.match(plan.replace(/[\s│╷╵]+/g, ' '), ways);
  await configure({ description: 'x', lifecycle: { prevent_destroy: true } });
  await at.fails(ways, 'apply', '-auto-approve', '-input=false');

  // As docs/terraform/index.md has it.
  const list = 'GET /services?managed_by=terraform&limit=200';
  const [made, ...others] = (await at.server.api.send(list)).body.data;
  assert.deepEqual([made.name, typeof made.created_at, others], ['Shop', 'string', []]);
  await at.succeeds('state', 'rm', address);
  await at.succeeds('import', address, made.id);
  await at.apply();
  assert.deepEqual(await at.changes(), []);
});
