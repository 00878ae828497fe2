import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { repair } from './repair.ts';

test('what templates break is repaired', () => {
  const cases: { name: string; input: string; want: unknown }[] = [
    { name: 'a line break', input: '{"a":"one\ntwo\t\u0001"}', want: { a: 'one\ntwo\t\u0001' } },
    {
      name: 'a quote',
      input: '{"a":"said "hi", left","b":1}',
      want: { a: 'said "hi", left', b: 1 },
    },
    { name: 'a quote at an end', input: '{"a":""hi"","b":"c"}', want: { a: '"hi"', b: 'c' } },
    {
      name: 'a quote in a list',
      input: '["said "hi", left", "b"]',
      want: ['said "hi", left', 'b'],
    },
    { name: 'a quote in a name', input: '{"a "b" c":1}', want: { 'a "b" c': 1 } },
    {
      name: 'JSON in a string',
      input: '{"a":"{"b": "c"} was logged"}',
      want: { a: '{"b": "c"} was logged' },
    },
    { name: 'a lone backslash', input: '{"a":"C:\\Windows"}', want: { a: 'C:\\Windows' } },
    { name: 'an unfinished escape', input: '{"a":"\\u12 \\x"}', want: { a: '\\u12 \\x' } },
    {
      name: 'a backslash at the end of a path',
      input: '{"a":"C:\\dir\\","b":"D:\\"}',
      want: { a: 'C:\\dir\\', b: 'D:\\' },
    },
    {
      name: 'valid escapes beside it',
      input: '{"a":"[{\\"b\\":\\"c\\"},{\\"d\\":1}]","e":"one\ntwo"}',
      want: { a: '[{"b":"c"},{"d":1}]', e: 'one\ntwo' },
    },
    {
      name: 'commas at ends',
      input: '{"a":[1,2,],"b":{"c":3 , }, }',
      want: { a: [1, 2], b: { c: 3 } },
    },
    { name: 'a comma in text', input: '{"a":",]","b":[1,],}', want: { a: ',]', b: [1] } },
    {
      name: 'bare words',
      input: '{"a":NaN,"b":[-Infinity,None,true],"c":null,"d":-1.5e+3}',
      want: { a: 'NaN', b: ['-Infinity', 'None', true], c: null, d: -1500 },
    },
  ];
  for (const { name, input, want } of cases) {
    assert.throws(() => JSON.parse(input), name);
    assert.deepEqual(JSON.parse(repair(input)), want, name);
  }
});

test('what is not plain stays broken', () => {
  for (const input of [
    '{"a":"b"}\n{"a":"c"}',
    '[{"a":"b"}{"a":"c"}]',
    '{"a":',
    '{"a":"b',
    '{"a" 1}',
    '[1 2]',
    '{"a":1}}',
    '{"a":}',
  ])
    assert.throws(() => JSON.parse(repair(input)), input);
});

/** No quote ends a name or a text in it for who reads on. */
const word = fc.string({
  unit: fc.constantFrom('a', 'ß', '1', ' ', '.', ':', '{', '[', '\\', '/'),
});

test('valid JSON stays what it is', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(
        word,
        fc.string(),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      ),
      fc.constantFrom(true, false, null),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(word, tie('any'), { maxKeys: 4 }),
    ),
  })).any;
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
      const text = JSON.stringify(json, null, indent);
      assert.equal(repair(text), text);
    }),
  );
});

test('one defect is repaired without a change of the rest', () => {
  const plain = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '1', '.', 'ü') });
  const stray = fc.constantFrom('\n', '\t', ' "x" ', '\\d', '\\ ');
  fc.assert(
    fc.property(
      fc.dictionary(plain, plain, { minKeys: 1 }),
      plain,
      stray,
      plain,
      (fields, a, s, b) => {
        const broken = JSON.stringify({ ...fields, here: '@', last: b }).replace(
          '@',
          `${a}x${s}y${b}`,
        );
        assert.throws(() => JSON.parse(broken));
        const want = { ...fields, here: `${a}x${s}y${b}`, last: b };
        assert.deepEqual(JSON.parse(repair(broken)), want);
      },
    ),
  );
});

test('any text is read to its end, and a long one no longer than its length allows', () => {
  const parts = ['"', '\\', ',', ':', '{', '}', '[', ']', ' ', '\n', 'a', '-', '\0', '\ud83d'];
  const odd = fc.string({ unit: fc.constantFrom(...parts), maxLength: 200 });
  fc.assert(
    fc.property(odd, (text) => {
      // Nothing but characters of JSON's own is added or left out.
      assert.equal(repair(text).replace(/[^a]/g, ''), text.replace(/[^a]/g, ''));
    }),
  );
  // Read again from each quote on, these would take hours.
  for (const part of [
    '"',
    '",',
    '\\"',
    '\\",',
    '"}',
    '"} ',
    '" ',
    '[{"',
    ', ',
    'a", "',
    '\\',
    '"\\"',
  ])
    for (const start of ['', '{"a":"', '["']) {
      const text = start + part.repeat(300_000 / part.length);
      assert.ok(repair(text).length >= text.length / 2);
    }
});
