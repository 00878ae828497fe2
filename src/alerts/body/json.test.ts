import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Json } from '../alert.ts';
import { storable } from '../text.ts';
import { asText, canonical, parseJson } from './json.ts';

test('JSON is read without loss', () => {
  const cases: { name: string; input: string; want: Json }[] = [
    { name: 'plain', input: '{"a":[1.5,null]}', want: { a: [1.5, null] } },
    { name: 'a big number', input: '[5615590933959184469]', want: ['5615590933959184469'] },
    {
      name: 'a big decimal stays a number',
      input: '[0.12345678901234566]',
      want: [0.12345678901234566],
    },
    { name: 'NUL', input: '{"a\\u0000":"b\\u0000"}', want: { 'a\ufffd': 'b\ufffd' } },
    { name: 'half a pair', input: '["\\ud83d"]', want: ['\ufffd'] },
  ];
  for (const { name, input, want } of cases)
    assert.deepEqual(parseJson(input), { value: want }, name);
});

const textsIn = (value: Json): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...textsIn(member)]);
};

test('whatever is read can be stored', () => {
  const parts = ['a', '\0', '\ud83d', '\ude00', '\\', '"', 'u0000'];
  const odd = fc.string({ unit: fc.constantFrom(...parts) });
  fc.assert(
    fc.property(fc.object({ key: odd, values: [odd], maxDepth: 3 }), (value) => {
      const parsed = parseJson(JSON.stringify(value));
      assert.ok('value' in parsed);
      for (const text of textsIn(parsed.value)) assert.equal(text, storable(text));
    }),
  );
});

test('a member named __proto__ is a member like any other', () => {
  const parsed = parseJson('{"__proto__":{"polluted":true}}');
  assert.ok('value' in parsed);
  assert.equal(Object.hasOwn(Object(parsed.value), '__proto__'), true);
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
});

test('depth is bounded before anything is parsed', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  assert.ok('value' in parseJson(nested(64)));
  assert.deepEqual(parseJson(nested(65)), {
    unreadable: 'the body: is nested deeper than 64 levels',
  });
  assert.ok('unreadable' in parseJson(nested(500_000)));
  assert.ok('value' in parseJson(JSON.stringify(['['.repeat(1000), '\\"['])));
});

test('the canonical text knows no order of keys and loses nothing', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (value) => {
      const object = JSON.parse(JSON.stringify(value));
      const reversed = Object.fromEntries(Object.entries(object).reverse()) as Json;
      assert.equal(canonical(reversed), canonical(object));
      assert.deepEqual(JSON.parse(canonical(object)), object);
    }),
  );
});

test('blank text is no text', () => {
  assert.deepEqual([null, ' ', undefined].map(asText), [undefined, undefined, undefined]);
  assert.deepEqual([5, false, 'x', [1]].map(asText), ['5', 'false', 'x', '[1]']);
});
