import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { literalIn } from './literal.ts';

const cases: readonly [source: string, literal: string][] = [
  ['code=E12[0-9] on (web|db)', 'code=E12'],
  ['disk full', 'disk full'],
  ['^disk$', 'disk'],
  ['a|bcd', ''],
  ['(a|bcd) down', ' down'],
  ['((x)yz)+abc', 'abc'],
  ['abcd*', 'abc'],
  ['abcd?e', 'abc'],
  ['abcd+', 'abcd'],
  ['abcd{0,3}', 'abc'],
  ['ab\\.cd', 'ab.cd'],
  ['a\\\\b', 'a\\b'],
  ['ab\\dcde', 'cde'],
  ['[abc]de', 'de'],
  ['[]abc]de', 'de'],
  ['[^]abc]de', 'de'],
  ['[[:alpha:]]de', 'de'],
  ['[\\]abc]de', 'de'],
  ['(?i)disk', ''],
  ['\\Qa|b\\E', ''],
  ['a😀*b', 'a'],
  ['', ''],
];

for (const [source, literal] of cases)
  test(`whatever matches ${source} has ${JSON.stringify(literal)} in it`, () => {
    assert.equal(literalIn(source), literal);
  });

const part = fc.constantFrom(
  ...['a', 'b', 'ab', '.', '[ab]', '[^a]', '[]a]', '[[:alpha:]]', '\\.', '\\d', '\\b', '\\pL'],
  ...['a*', 'b?', 'a+', 'b{2}', 'a{0,1}', 'ab{0}', '(a|b)', '(ab)*', '(a(b)?)', '|', '^', '$'],
  ...['(?:a)', '(?i:A)', '\\x61', '{', '}', 'a{,2}', '\\\\', '-', '\\Qa.\\E', 'b*?', 'é+'],
);
const expression = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'A', '.', '1', '\\', '{', '}', 'é', '-'),
});

test('nothing that an expression matches lacks its literal', () => {
  let matches = 0;
  fc.assert(
    fc.property(expression, text, (source, searched) => {
      let compiled: RE2JS;
      try {
        compiled = RE2JS.compile(source);
      } catch {
        return;
      }
      if (!compiled.test(searched)) return;
      matches += 1;
      assert.ok(searched.includes(literalIn(source)), `${source} in ${searched}`);
    }),
    { numRuns: 20_000 },
  );
  assert.ok(matches > 1_000);
});
