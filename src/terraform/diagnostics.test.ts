import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorDiagnostic } from './diagnostics.ts';

const cases = [
  { path: 'name', steps: [{ attribute_name: 'name' }] },
  { path: 'steps[0]', steps: [{ attribute_name: 'steps' }, { element_key_int: 0 }] },
  { path: 'steps[1].targets[2].via', steps: [{ attribute_name: 'steps' }, { element_key_int: 1 }] },
  {
    path: 'auto_resolve.after',
    steps: [{ attribute_name: 'auto_resolve' }, { attribute_name: 'after' }],
  },
  {
    path: 'headers["a.b[\\"c\\"]"]',
    steps: [{ attribute_name: 'headers' }, { element_key_string: 'a.b["c"]' }],
  },
];

for (const { path, steps } of cases) {
  test(`${path} is shown at its line`, () => {
    const { attribute, severity } = errorDiagnostic({ summary: 'Wrong', path });
    assert.deepEqual([attribute?.steps, severity], [steps, 1]);
  });
}

test('without a path it is about the whole', () => {
  assert.equal(errorDiagnostic({ summary: 'Wrong' }).attribute, undefined);
});
