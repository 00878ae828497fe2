// A company that was made by hand comes under Terraform as it is.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { exportTerraform } from '../../src/commands/export.ts';
import { inProcessKey } from '../system/in-process.ts';
import { buildCompany } from './company.ts';
import { startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

test('the plan of an export imports all, changes nothing, and then nothing is left to do', {
  skip: noTerraform ?? false,
}, async () => {
  await using at = await startTerraform();
  const { managed } = await buildCompany(at.server.api);
  const { folder } = at.workspace;
  // The export says itself which provider it needs.
  await rm(join(folder, 'versions.tf'));
  const environment = { PAGER_API_KEY: inProcessKey, PAGER_BASE_URL: at.proxy.address };
  const { code, text } = await exportTerraform(['terraform', '--dir', folder], environment);
  assert.equal(code, 0, text);

  const changes = await at.changes();
  const atFirst = 3;
  assert.equal(changes.length, managed + atFirst);
  assert.deepEqual(new Set(changes.map(({ actions }) => actions)), new Set(['no-op']));
  await at.apply('planned');
  assert.deepEqual(await at.changes(), []);
});
