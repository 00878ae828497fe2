import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Json } from './alert.ts';
import {
  bytesWithin,
  headersWithin,
  jsonWithin,
  linksWithin,
  mailWithin,
  textWithin,
} from './cut.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

test('a text is cut between characters, and says so', () => {
  assert.equal(textWithin('disk full', 9), 'disk full');
  assert.equal(textWithin('disk full', 5), 'disk…');
  assert.equal(textWithin('ab😀', 4), 'ab😀');
  assert.equal(textWithin('ab😀d', 4), 'ab…');
});

test('bytes are cut between characters of UTF-8; what is no text is cut anywhere', () => {
  const read = (bytes: Uint8Array) => new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 30 }), fc.nat(40), (text, most) => {
      const cut = bytesWithin(utf8(text.toWellFormed()), most);
      assert.ok(cut.byteLength <= most);
      assert.ok(text.toWellFormed().startsWith(read(cut)));
    }),
  );
  const noText = new Uint8Array(50).fill(0x80);
  assert.equal(bytesWithin(noText, 20).byteLength, 20);
});

test('details keep their first members, and room for those after a large one', () => {
  const details = { title: 'Disk full', log: 'x'.repeat(5_000), host: 'db-1', tags: ['a', 'b'] };
  const cut = jsonWithin(details, 400);
  assert.ok(typeof cut === 'object' && cut !== null && !Array.isArray(cut));
  const { log, ...others } = cut as Record<string, Json>;
  assert.match(String(log), /^x{50,200}…$/);
  assert.deepEqual(others, {
    title: 'Disk full',
    host: 'db-1',
    tags: ['a', 'b'],
    '…': 'The rest is not stored.',
  });
  assert.equal(jsonWithin(details, 10_000), details);
  const [first, ...rest] = jsonWithin(['a'.repeat(90), 'b', 'c'.repeat(900)], 200) as Json[];
  assert.match(String(first), /^a{40,90}…$/);
  assert.deepEqual([rest.at(0), rest.at(-1)], ['b', '…']);
});

test('no details are longer than they may be, whatever they are', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 60, max: 500 }), (value, most) => {
      const cut = jsonWithin(value as Json, most);
      assert.ok(JSON.stringify(cut).length <= most, JSON.stringify(cut));
      if (JSON.stringify(value).length <= most) assert.deepEqual(cut, value);
    }),
  );
});

test('cutting takes no longer for what is deep, long or of many names', () => {
  const deep = Array.from({ length: 500 }).reduce<Json>(
    (inner) => ({ a: inner, b: 'x'.repeat(99) }),
    1,
  );
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`member ${n}`, n]));
  const named = { ['n'.repeat(1_000_000)]: 1, last: 2 };
  for (const value of [deep, wide, named, '\u0001'.repeat(1_000_000)])
    assert.ok(JSON.stringify(jsonWithin(value, 1_000)).length <= 1_000);
  assert.deepEqual(jsonWithin(named, 1_000), { last: 2, '…': 'The rest is not stored.' });
});

test('links and headers are kept as far as they fit', () => {
  const links = [{ href: 'https://a.test/' }, { href: 'https://b.test/', text: 'Source' }];
  assert.deepEqual(linksWithin(links, 100), links);
  assert.deepEqual(linksWithin(links, 30), links.slice(0, 1));
  assert.deepEqual(headersWithin({ a: 'x'.repeat(50), b: 'y' }, 20), { b: 'y' });
});

test('a mail keeps the beginning of its subject and text', () => {
  const mail = { subject: 's'.repeat(90), from: 'a@b.test', text: 't'.repeat(90), headers: {} };
  const cut = mailWithin(mail, { text: 10, heading: 20 });
  assert.deepEqual(cut, {
    subject: `${'s'.repeat(19)}…`,
    from: 'a@b.test',
    text: `${'t'.repeat(9)}…`,
    headers: {},
  });
});
