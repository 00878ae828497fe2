import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileExpression } from './expression.ts';

const troubleOf = (source: string) => {
  const compiled = compileExpression(source);
  return 'problem' in compiled ? compiled.problem : null;
};

const refused: readonly [source: string, reason: RegExp][] = [
  ['a(b', /missing closing \): `a\(b`$/],
  ['a**', /nested repetition/],
  ['(?=a)b', /unsupported Perl syntax/],
  ['(a)\\1', /invalid escape/],
  ['x{1001}', /invalid repeat count/],
  ['\\', /trailing backslash/],
  ['('.repeat(990), /missing closing|too deeply/],
  ['a'.repeat(1_001), /at most 1000 characters/],
  ['\\pL{1000}'.repeat(50), /too large/],
];

for (const [source, reason] of refused)
  test(`${source.slice(0, 20)} is told to be wrong: ${reason.source}`, () => {
    assert.match(troubleOf(source) ?? '', reason);
  });

test('everyday expressions compile', () => {
  for (const source of ['', 'disk|memory', '^(?i)ERR-\\d{3,5}\\b', '\\p{Greek}+', '[^a-z]$'])
    assert.equal(troubleOf(source), null, source);
});

test('no more than the first 5,000 characters are searched', () => {
  const compiled = compileExpression('needle');
  assert.ok('matches' in compiled);
  assert.equal(compiled.matches(`${'x'.repeat(4_994)}needle`), true);
  assert.equal(compiled.matches(`${'x'.repeat(4_995)}needle`), false);
});
