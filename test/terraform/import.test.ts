// What cannot be imported, in a real Terraform: it ends with what is wrong, in our words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

const resource = { pager_service: { shop: { name: 'Shop' } } };
const nobodys = '0123456789abcdef01234567';

test('what is archived, of another team or missing is not imported, and says why', {
  skip: noTerraform ?? false,
}, async () => {
  await using at = await startTerraform();
  const { id } = await at.server.api.create('services', { name: 'Shop' });
  const archived = await at.server.api.create('services', { name: 'Old shop' });
  await at.server.api.send(`DELETE /services/${archived.id}`);
  const imports: Readonly<Record<string, RegExp>> = {
    [nobodys]: / is not found .*The API knows no such record/,
    [`${nobodys}/${id}`]: /is not found .*The team 0123456789abcdef01234567 has no such record/,
    [archived.id]: /The service "Old shop" is archived .*To import it, restore it first/,
  };
  for (const [importId, message] of Object.entries(imports)) {
    await at.configure({ resource });
    const byCommand = await at.workspace.run('import', 'pager_service.shop', importId);
    await at.configure({ resource, import: [{ to: 'pager_service.shop', id: importId }] });
    const byBlock = await at.workspace.run('plan', '-input=false');
    for (const { code, errors } of [byCommand, byBlock]) {
      assert.equal(code, 1);
      assert.match(errors.replaceAll(/\s+/g, ' '), message);
      assert.doesNotMatch(errors, /non-existent/);
    }
  }
});
