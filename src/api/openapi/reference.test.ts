import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { type Contract, referencePage } from './reference.ts';

const file = new URL('../../../docs/openapi.json', import.meta.url);

test('the page has every operation of the contract, whatever it answers with', async () => {
  const contract: Contract = JSON.parse(await readFile(file, 'utf8'));
  const page = referencePage(contract);
  const operations = Object.values(contract.paths).flatMap((methods) => Object.values(methods));
  assert.ok(operations.length > 0);
  for (const { operationId } of operations)
    assert.ok(page.includes(`<details id="${operationId}">`), operationId);
});
