// Who manages a record, as a real Terraform says it and the API answers it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resources } from './running-terraform.ts';
import { startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

test('records say by which workspace they were written, and no plan differs by that', {
  skip: noTerraform ?? false,
}, async () => {
  await using at = await startTerraform();
  const { api } = at.server;
  const configure = (workspace: string | null, names: Readonly<Record<string, string>>) => {
    const services = Object.entries(names).map(([key, name]) => [key, { name }]);
    const resource: Resources = { pager_service: Object.fromEntries(services) };
    return at.configure({ ...(workspace && { provider: { pager: { workspace } } }), resource });
  };
  const managers = async () => {
    const { body } = await api.send('GET /services?managed_by=terraform');
    return Object.fromEntries(
      body.data.map(({ name, managed_by }: Managed) => [name, managed_by.workspace]),
    );
  };
  const old = await api.create('services', { name: 'Old' });

  await configure(null, { shop: 'Shop', old: 'Old' });
  await at.succeeds('import', 'pager_service.old', old.id);
  await at.apply();
  assert.deepEqual(await managers(), { Shop: undefined });

  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is an expression of Terraform's.
  const current = '${terraform.workspace}';
  await configure(current, { shop: 'Shop', old: 'Old' });
  assert.deepEqual(await at.changes(), []);
  await at.apply();
  assert.deepEqual(await managers(), { Shop: undefined });
  await configure(current, { shop: 'Shop 2', old: 'Old 2', made: 'Made' });
  await at.apply();
  const written = { 'Shop 2': 'default', 'Old 2': 'default', Made: 'default' };
  assert.deepEqual(await managers(), written);

  await api.send(`PATCH /services/${old.id}`, { name: 'By hand' });
  assert.equal((await managers())['By hand'], 'default');
  await configure('prod', { shop: 'Shop 2', old: 'By hand', made: 'Made' });
  assert.deepEqual(await at.changes(), []);
  await configure('prod', { shop: 'Shop 2', old: 'Old 2', made: 'Made' });
  await at.apply();
  assert.deepEqual(await managers(), { ...written, 'Old 2': 'prod' });

  await configure('two words', { shop: 'Shop 2' });
  const { code, errors } = await at.workspace.run('plan', '-input=false');
  assert.deepEqual([code, /Invalid workspace/.test(errors)], [1, true]);
});

type Managed = { readonly name: string; readonly managed_by: { readonly workspace?: string } };
