import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Comparator } from '../resources/condition.ts';
import { comparisonOf } from './comparison.ts';
import { textOf } from './facts.ts';

const cases: readonly [comparator: Comparator, operand: string, text: string, holds: boolean][] = [
  ['contains', 'FULL', 'Disk full', true],
  ['contains', '', 'Disk full', true],
  ['contains', 'full.', 'Disk full', false],
  ['equals', 'disk FULL', 'Disk full', true],
  ['equals', 'Disk', 'Disk full', false],
  ['startsWith', 'disk', 'Disk full', true],
  ['startsWith', 'full', 'Disk full', false],
  ['endsWith', 'FULL', 'Disk full', true],
  ['endsWith', 'disk', 'Disk full', false],
  ['contains', 'ΔΙΣΚΟΣ', 'γεμάτος δισκος', true],
  ['equals', 'STRASSE', 'Straße', true],
  ['matches', 'fu[l]+', 'Disk full', true],
  ['matches', 'Full', 'Disk full', false],
  ['matches', '(?i)Full', 'Disk full', true],
  ['matches', '^full', 'Disk full', false],
  ['matches', '^Disk.full$', 'Disk\nfull', false],
  ['matches', '(?s)^Disk.full$', 'Disk\nfull', true],
  ['matches', '', '', true],
  ['matches', '^.$', '😀', true],
];

for (const [comparator, operand, text, holds] of cases)
  test(`${JSON.stringify(text)} ${comparator} ${JSON.stringify(operand)}: ${holds}`, () => {
    assert.equal(comparisonOf(comparator, operand).holds(textOf(text)), holds);
  });

const pairs: readonly [Comparator, Comparator][] = [
  ['contains', 'doesNotContain'],
  ['equals', 'doesNotEqual'],
  ['matches', 'doesNotMatch'],
];
const letters = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'ß', 'ς', ' '), maxLength: 4 });

test('a negation holds of exactly what its comparator does not, absence included', () => {
  const text = fc.option(letters.map(textOf));
  fc.assert(
    fc.property(
      fc.constantFrom(...pairs),
      letters,
      text,
      ([positive, negation], operand, value) => {
        const holds = comparisonOf(positive, operand).holds(value);
        assert.equal(comparisonOf(negation, operand).holds(value), !holds);
        assert.ok(value !== null || !holds);
      },
    ),
  );
});

test('case is ignored by every comparator but regular expressions', () => {
  const comparators = ['contains', 'equals', 'startsWith', 'endsWith'] as const;
  fc.assert(
    fc.property(fc.constantFrom(...comparators), letters, letters, (comparator, operand, text) => {
      const { holds } = comparisonOf(comparator, operand);
      assert.equal(holds(textOf(text)), holds(textOf(text.toUpperCase())));
      const shouted = comparisonOf(comparator, operand.toUpperCase());
      assert.equal(holds(textOf(text)), shouted.holds(textOf(text)));
    }),
  );
});

test('of an expression that does not compile, nothing holds', () => {
  for (const comparator of ['matches', 'doesNotMatch'] as const) {
    const { holds, describe } = comparisonOf(comparator, 'a(');
    assert.equal(holds(textOf('a(')), false);
    assert.match(
      describe(textOf('a(')),
      /^cannot be compared: "a\(" is not a valid RE2 regular expression/,
    );
  }
});

test('what is so is said the same of a comparator and its negation', () => {
  for (const [positive, negation] of pairs) {
    const text = comparisonOf(positive, 'x').describe(textOf('abc'));
    assert.match(text, /^does not \w+ "x"$/);
    assert.equal(comparisonOf(negation, 'x').describe(textOf('abc')), text);
  }
  assert.equal(comparisonOf('startsWith', 'A').describe(textOf('abc')), 'starts with "A"');
});
