import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { testPublished } from '../../../test/published.ts';
import { samples } from '../../../test/tool-samples.ts';
import type { Json } from '../alert.ts';
import { type Content, contentOf } from './content.ts';
import { parseJson } from './json.ts';

const encoder = new TextEncoder();
const read = (body: string | Uint8Array, type = ''): Content =>
  contentOf(typeof body === 'string' ? encoder.encode(body) : body, type);

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';

test('a text is decoded by what it is, then by what it is declared as', () => {
  const utf16 = (text: string, isLittle: boolean) => {
    const bytes = new Uint8Array(text.length * 2);
    const view = new DataView(bytes.buffer);
    for (let at = 0; at < text.length; at += 1)
      view.setUint16(at * 2, text.charCodeAt(at), isLittle);
    return bytes;
  };
  const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
  const body = '{"title":"Größe"}';
  const want = { json: { title: 'Größe' } };
  const cases: { name: string; input: Uint8Array | string; type?: string; want?: Content }[] = [
    { name: 'UTF-8', input: body },
    { name: 'UTF-8 with its mark', input: `\ufeff${body}` },
    { name: 'UTF-16LE with its mark', input: utf16(`\ufeff${body}`, true) },
    { name: 'UTF-16BE with its mark', input: utf16(`\ufeff${body}`, false) },
    { name: 'UTF-16LE', input: utf16(body, true) },
    { name: 'UTF-16BE', input: utf16(body, false), type: 'application/json; charset=utf-16' },
    { name: 'Latin 1', input: latin(body), type: 'application/json; charset=ISO-8859-1' },
    { name: 'quoted', input: latin(body), type: 'text/plain; Charset="windows-1252"' },
    { name: 'UTF-8 that is declared as Latin 1', input: body, type: 'text/plain;charset=latin1' },
    {
      name: 'undeclared Latin 1',
      input: latin(body),
      want: { json: { title: 'Gr\ufffd\ufffde' } },
    },
    {
      name: 'an unknown charset',
      input: latin(body),
      type: 'text/plain; charset=klingon',
      want: { json: { title: 'Gr\ufffd\ufffde' } },
    },
    {
      name: 'the prolog of XML, before the header',
      input: latin('<?xml version="1.0" encoding="windows-1252"?><a>\x80 ß</a>'),
      type: 'text/xml; charset=utf-8',
      want: {
        json: { a: '€ ß' },
        xml: '<?xml version="1.0" encoding="windows-1252"?><a>€ ß</a>',
      },
    },
  ];
  for (const { name, input, type, want: other } of cases)
    assert.deepEqual(read(input, type), other ?? want, name);
});

const wrapped = (value: Json, depth: number): string =>
  depth === 0 ? JSON.stringify(value) : JSON.stringify(wrapped(value, depth - 1));

test('JSON is read out of strings of JSON, three deep', () => {
  for (const depth of [0, 1, 2, 3])
    assert.deepEqual(read(wrapped({ a: 1 }, depth), json), { json: { a: 1 } });
  assert.deepEqual(read(wrapped({ a: 1 }, 4), json), { text: wrapped({ a: 1 }, 3) });
  assert.deepEqual(read(wrapped('disk full', 1), json), { text: '"disk full"' });
});

test('a form is its fields, or the event that one of them is', () => {
  const cases: { name: string; input: string; type: string; want: Content }[] = [
    {
      name: 'fields',
      input: 'TestID=1&Name=a%20b+c&Name=d',
      type: form,
      want: { json: { TestID: '1', Name: 'd' } },
    },
    {
      name: 'fields that are labelled as JSON',
      input: 'TestID=1&Status=Down',
      type: json,
      want: { json: { TestID: '1', Status: 'Down' } },
    },
    {
      name: 'encoded JSON beside a key',
      input: 'payload=+%7B%22a%22%3A%22b%26c%22%7D&key=1',
      type: form,
      want: { json: { a: 'b&c' } },
    },
    {
      name: 'encoded JSON as data',
      input: 'data=%7B%22a%22%3A1%7D',
      type: 'text/plain',
      want: { json: { a: 1 } },
    },
    {
      name: 'data beside other fields',
      input: 'data=%7B%22a%22%3A1%7D&b=2',
      type: form,
      want: { json: { data: '{"a":1}', b: '2' } },
    },
    { name: 'no event', input: 'data={}', type: form, want: { json: { data: '{}' } } },
    {
      name: 'no JSON in a text',
      input: 'data={{x}}',
      type: 'text/plain',
      want: { text: 'data={{x}}' },
    },
    {
      name: 'JSON that is not encoded',
      input: 'payload={"a":"b & c = 100% + d"}',
      type: json,
      want: { json: { a: 'b & c = 100% + d' } },
    },
    {
      name: 'the same as a form',
      input: 'payload={"a":"b & c = 100%"}',
      type: form,
      want: { json: { a: 'b & c = 100%' } },
    },
    {
      name: 'a form that is encoded in part',
      input: 'payload={"a":"b+c"}',
      type: form,
      want: { json: { a: 'b c' } },
    },
    {
      name: 'not encoded, as data',
      input: 'data= {"a":"b&c"}',
      type: 'text/plain',
      want: { json: { a: 'b&c' } },
    },
    {
      name: 'not encoded and broken',
      input: 'payload={"a":"b "c" & d"}',
      type: json,
      want: { json: { a: 'b "c" & d' }, repaired: true },
    },
    {
      name: 'encoded and broken',
      input: 'payload=%7B%22a%22%3A%22b%0Ac%22%7D',
      type: form,
      want: { json: { a: 'b\nc' }, repaired: true },
    },
    {
      name: 'no JSON',
      input: 'payload=[db1]',
      type: form,
      want: { json: { payload: '[db1]' } },
    },
  ];
  for (const { name, input, type, want } of cases) assert.deepEqual(read(input, type), want, name);
});

const part = (name: string, value: string, more = '') =>
  `--x1\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;

test('a form in parts is read like any other, whatever its label', () => {
  const multipart = 'multipart/form-data; boundary=x1';
  const event = part('data', '{"heartbeat":{"status":0},\r\n"msg":"--x1 down"}');
  const want = { json: { heartbeat: { status: 0 }, msg: '--x1 down' } };
  for (const type of [multipart, '', form, json])
    assert.deepEqual(read(`${event}--x1--\r\n`, type), want, type);
  assert.deepEqual(read(part('title', 'one\r\n\r\ntwo') + part('status', 'ok'), multipart), {
    json: { title: 'one\r\n\r\ntwo', status: 'ok' },
  });
  const files =
    part('image', 'PNG\0', '; filename="a.png"') + part('log', 'full', '; filename="a.log"');
  assert.deepEqual(read(`${files}--x1--`, multipart), { json: { log: 'full' } });
  assert.deepEqual(read(event.replaceAll('\r', ''), multipart), want);
  assert.deepEqual(read('{"a":1}', multipart), { json: { a: 1 } });
  assert.deepEqual(read('--x1\r\n\r\n', multipart), { unreadable: 'the body: contains no fields' });
});

test('XML is an object, and text where it is none', () => {
  const xml = '<event id="1"><title>Disk full</title></event>';
  const event = { event: { '@id': '1', title: 'Disk full' } };
  assert.deepEqual(read(xml, 'text/xml'), { json: event, xml });
  const whole = `<?xml version="1.0"?>${xml}`;
  assert.deepEqual(read(whole, 'text/plain'), { json: event, xml: whole });
  assert.deepEqual(read('<b>Disk</b> full', 'text/plain'), { text: '<b>Disk</b> full' });
  const typed = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`;
  assert.deepEqual(read(typed, 'text/xml'), { text: typed });
});

test('what claims to be JSON is repaired, once, and says so', () => {
  const broken = '{"title":"Disk "full"\n at C:\\data",}';
  const want = { json: { title: 'Disk "full"\n at C:\\data' }, repaired: true };
  for (const type of [json, 'text/plain', '']) assert.deepEqual(read(broken, type), want);
  assert.deepEqual(read('[db1,]', json), { json: ['db1'], repaired: true });
  assert.deepEqual(read('[db1,]', 'text/plain'), { text: '[db1,]' });
  for (const input of ['{"title":', 'oops', '{"a":"b"'])
    assert.match(JSON.stringify(read(input, json)), /^\{"unreadable":"the body: is not JSON/);
});

test('valid JSON is never changed', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(json, '', form), (value, type) => {
      const text = JSON.stringify({ value });
      const parsed = parseJson(text);
      assert.deepEqual(read(text, type), { json: 'value' in parsed && parsed.value });
    }),
  );
});

test('any bytes are a content', () => {
  const starts = ['', '{"', '[', 'payload={', 'data=', '--x\r\ncontent-disposition:', '<?xml ?><'];
  const types = ['', json, form, 'text/xml', 'multipart/form-data', 'text/plain; charset=utf-16'];
  const body = fc.tuple(fc.constantFrom(...starts, '\x1f\x8b'), fc.uint8Array());
  fc.assert(
    fc.property(body, fc.constantFrom(...types), ([start, bytes], type) => {
      const content = read(Uint8Array.from([...encoder.encode(start), ...bytes]), type);
      assert.ok('json' in content || 'text' in content || 'unreadable' in content);
    }),
  );
  const cut = { unreadable: 'the body: is compressed by gzip, and cannot be decompressed' };
  assert.deepEqual(read(Uint8Array.of(0x1f, 0x8b, 8), json), cut);
});

const types = [json, form, '', 'text/xml', 'multipart/form-data; boundary=x'];

function assertReadAlways(file: string, body: Uint8Array): void {
  for (const type of types) assert.ok(!('unreadable' in read(body, type)), `${file} as ${type}`);
}

test('every sample of what tools send is read, whatever it is labelled as', () => {
  assert.ok(samples.length > 200);
  for (const { file, request } of samples) {
    const { body, contentType } = request;
    const content = read(body, contentType);
    if (contentType === 'text/plain') {
      assert.ok('text' in content, file);
      continue;
    }
    assert.ok('json' in content && content.repaired === undefined, file);
    assertReadAlways(file, body);
  }
});

testPublished(
  'payloads/manifest.json',
  'so is every sample of what real programs send',
  (manifest) => {
    // The manifest is ours; its shape is what this test checks against.
    const { entries } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      entries: readonly { file: string; contentType: string }[];
    };
    const sent = entries.filter(({ file }) => !file.endsWith('.eml'));
    assert.ok(sent.length > 200);
    for (const { file, contentType } of sent) {
      const body = readFileSync(new URL(file, manifest));
      const content = read(body, contentType);
      assert.ok('json' in content && content.repaired === undefined, file);
      assertReadAlways(file, body);
    }
  },
);
