import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Json } from '../alert.ts';
import { parseXml } from './xml.ts';

test('elements become members', () => {
  const cases: { name: string; input: string; want: Json }[] = [
    { name: 'text', input: '<a> disk full\n</a>', want: { a: 'disk full' } },
    { name: 'nothing', input: '<a/>', want: { a: '' } },
    {
      name: 'attributes',
      input: '<a id="1" at=\'x "y"\'><b n="2">t</b></a >',
      want: { a: { '@id': '1', '@at': 'x "y"', b: { '@n': '2', '#text': 't' } } },
    },
    {
      name: 'a list',
      input: '<a>\n<b>1</b>\n<c/><b>2</b><b x="3"/></a>',
      want: { a: { b: ['1', '2', { '@x': '3' }], c: '' } },
    },
    { name: 'text among elements', input: '<a>x<b/>y</a>', want: { a: { b: '', '#text': 'xy' } } },
    {
      name: 'a prolog, comments, instructions',
      input: '<?xml version="1.0"?><!-- <b> --><a><?php ?><!-- x -->1</a><!-- y -->\n',
      want: { a: '1' },
    },
    {
      name: 'a section of text',
      input: '<a><![CDATA[<b> &amp; ]]>]]<![CDATA[>]]></a>',
      want: { a: '<b> &amp; ]]>' },
    },
    {
      name: 'entities',
      input: '<a b="&quot;&apos;">&lt;&gt;&amp;lt; &#233;&#xE9; &nbsp; &#0;&#xD800;&#1114112;</a>',
      want: { a: { '@b': '"\'', '#text': '<>&lt; éé &nbsp; \ufffd\ufffd\ufffd' } },
    },
    {
      name: 'namespaces',
      input: '<s:a xmlns:s="u"><s:b/></s:a>',
      want: { 's:a': { '@xmlns:s': 'u', 's:b': '' } },
    },
    {
      name: 'names of objects',
      input: '<a __proto__="1"><__proto__>x</__proto__><constructor/></a>',
      want: { a: { '@__proto__': '1', ['__proto__']: 'x', constructor: '' } },
    },
  ];
  for (const { name, input, want } of cases) assert.deepEqual(parseXml(input), want, name);
});

test('what is no single well-formed element is not read', () => {
  const inputs = ['', 'x', '<a>', '<a></b>', '</a>', '<a/><a/>', '<a/><b/>', '<a/>x', 'x<a/>'];
  const broken = ['<a b></a>', '<a b=1/>', '<a b="<"/>', '<1/>', '< a/>', '<a', '<a><!-- </a>'];
  for (const input of [...inputs, ...broken, '<a><![CDATA[</a>', '<a></a></a>'])
    assert.equal(parseXml(input), null, input);
});

test('a document type is not read, nor what it defines', () => {
  const type = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y "&x;&x;">]>';
  assert.equal(parseXml(`${type}<a>&y;</a>`), null);
  assert.equal(parseXml('<!DOCTYPE a SYSTEM "https://a.test/a.dtd"><a/>'), null);
  assert.deepEqual(parseXml('<a>&y;</a>'), { a: '&y;' });
});

test('depth is bounded', () => {
  const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth);
  assert.notEqual(parseXml(nested(64)), null);
  assert.equal(parseXml(nested(65)), null);
});

test('any text is read or refused, and a long one no longer than its length allows', () => {
  const parts = ['<', '</', '/>', '>', 'a', 'b', '=', '"', "'", ' ', '&amp;', '&', '<!--', '-->'];
  const more = ['<![CDATA[', ']]>', '<?', '?>', '<a>', '</a>', ' b="1"', '\0', '\ud83d', '<a/>'];
  const unit = fc.constantFrom(...parts, ...more);
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
      const inner = parseXml(`<r>${text}</r>`);
      assert.ok(inner === null || Object.hasOwn(Object(inner), 'r'), text);
    }),
  );
  // Read again from each place on, these would take hours.
  for (const part of ['<', '<a ', ' a="b"', '<!--', '&#1', '&', '<a/>', ' ', '="', "'", '<?', 'x'])
    for (const start of ['<a>', '<a', '<a b="', '<a><!--', '<a><![CDATA['])
      assert.equal(parseXml(start + part.repeat(1_000_000 / part.length)), null);
});
