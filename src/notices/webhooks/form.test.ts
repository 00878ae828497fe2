import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { asForm, parseForm } from '../../../test/bracketed-form.ts';
import { fitsForm, formOf } from './form.ts';

test('a form says what it was made of, whatever the texts', () => {
  const name = fc.stringMatching(/^[a-z_]{1,8}$/);
  const text = fc.string({ unit: 'binary' }).map((one) => one.toWellFormed());
  const leaf = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.dictionary(
      name,
      fc.oneof(leaf, fc.array(tie('tree'), { maxLength: 3 }), tie('tree')),
      {
        minKeys: 1,
        maxKeys: 4,
        noNullPrototype: true,
      },
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      const written = asForm(value);
      const form = formOf(value as object);
      if (written === undefined) assert.equal(form, '');
      else assert.deepEqual(parseForm(form), written);
    }),
  );
});

test('an empty list or object is left out', () => {
  assert.equal(formOf({ a: [], b: {}, c: '' }), 'c=');
});

test('the way to each value counts, so that deep and wide values are found too large', () => {
  const wide = Array.from({ length: 1_000 }, () => ({ 'a name of some length': 'x' }));
  assert.equal(fitsForm(wide, 'incident[details]', 50_000), true);
  assert.equal(fitsForm(wide, 'incident[details]', 40_000), false);
  assert.equal(fitsForm(undefined, 'incident[details]', 100), true);
});
