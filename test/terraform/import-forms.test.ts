// The ids that the pages and the errors name are those that an import takes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importForms } from '../../src/terraform/import-forms.ts';
import { managed } from '../../src/terraform/managed.ts';
import { errorsOf } from './core.ts';
import { startProvider } from './running-provider.ts';

const id = '6a5f0c1e2d3c4b5a69788776';

/** An id of this form. */
const exampleOf = (form: string) =>
  form
    .replace(/<\w*counter>/g, '42')
    .replace('<email>', 'ada@example.com')
    .replace(/<\w+>/g, id);

for (const one of managed)
  test(`an import of ${one.typeName} takes every form of id that is documented`, async () => {
    await using at = await startProvider();
    for (const form of importForms(one)) {
      const { diagnostics } = await at.core.import(one.typeName, exampleOf(form));
      assert.doesNotMatch(errorsOf(diagnostics).join(), /Invalid import id/, form);
    }
    const { diagnostics } = await at.core.import(one.typeName, 'no/such/form');
    assert.notDeepEqual(errorsOf(diagnostics), []);
  });
