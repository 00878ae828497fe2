// A state and an API key of different organizations, in a real Terraform.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedOutsider } from '../system/tenants.ts';
import { startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

const secretKey = 'a secret key that only this test knows';
const key = 'k'.repeat(40);
const resource = { pager_service: { shop: { name: 'Shop' } } };

test('records are not taken for gone with a key of another organization', {
  skip: noTerraform ?? false,
}, async () => {
  await using at = await startTerraform({ PAGER_SECRET_KEY: secretKey });
  await seedOutsider(at.server, secretKey);
  await at.configure({ resource });
  await at.apply();
  await at.configure({ provider: { pager: { api_key: key } }, resource });
  for (const args of [
    ['plan', '-input=false'],
    ['destroy', '-auto-approve', '-input=false'],
    ['destroy', '-auto-approve', '-input=false', '-refresh=false'],
  ]) {
    const { code, errors } = await at.workspace.run(...args);
    assert.equal(code, 1);
    assert.match(
      errors.replaceAll(/\s+/g, ' '),
      /The service "Shop" belongs to another organization/,
    );
  }
  assert.deepEqual([...(await at.state()).keys()], ['pager_service.shop']);

  await at.configure({ resource });
  assert.deepEqual(await at.changes(), []);
});
