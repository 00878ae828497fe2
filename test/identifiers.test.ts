import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifiersIn, wordsOf } from './identifiers.ts';

test('identifiers are read without strings, comments and regular expressions', () => {
  const lines = [
    `const first = \`text \${second.map(({ third }) => \`inner \${third}\`)} text\`; // comment`,
    "const fourth = 'string' + (1 / 2) / fifth; /* comment */",
    `const sixth = /['"]expression/.test(seventh);`,
  ];
  const text = lines.join('\n');
  assert.deepEqual(
    [...new Set(identifiersIn(text))],
    ['first', 'second', 'map', 'third', 'fourth', 'fifth', 'sixth', 'test', 'seventh'],
  );
});

test('an identifier is cut into its words', () => {
  assert.deepEqual(wordsOf('#readHTTPBody_at2'), ['read', 'http', 'body', 'at']);
});
