import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { distinctNames, localName } from './names.ts';

test('a name keeps its letters and digits', () => {
  const cases = [
    ['Payments', 'payments'],
    ['Café Zürich #1', 'cafe_zurich_1'],
    ['  --a--b--  ', 'a_b'],
    ['ﬁx', 'fix'],
    ['1st line', 'service_1st_line'],
    ['for_each', 'service_for_each'],
    ['支付', 'service'],
    ['', 'service'],
    ['a'.repeat(255), 'a'.repeat(60)],
    [`${'a'.repeat(59)} b`, 'a'.repeat(59)],
  ] as const;
  for (const [title, name] of cases) assert.equal(localName(title, 'service'), name);
});

test('whatever people write, it becomes a name that Terraform takes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (title) => {
      assert.match(localName(title, 'service'), /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
    }),
  );
});

test('no two names are alike, and the first one stays as it is', () => {
  const named = distinctNames();
  const name = [
    ['a', '1'],
    ['a_2', '9'],
    ['a', '2'],
    ['a', '3'],
  ] as const;
  assert.deepEqual(
    name.map(([name, suffix]) => named(name, suffix)),
    ['a', 'a_2', 'a_2_2', 'a_3'],
  );
});
