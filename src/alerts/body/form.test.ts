import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { storable } from '../text.ts';
import { formFields } from './form.ts';

test('a form is decoded as browsers encode it', () => {
  const parts = ['a', 'b', '=', '&', '%', '+', '?', '%26', '%3d', '%c3%9f', '%FF', ' ', 'ß', '%00'];
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...parts) }), (text) => {
      const entries = [...new URLSearchParams(`&${text}`)];
      const want = entries.map(([name, value]) => [storable(name), storable(value)]);
      assert.deepEqual(formFields(text), Object.fromEntries(want));
    }),
  );
});
