import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keyInBody } from './key-in-body.ts';

const names = ['routing_key', 'service_key'];

const cases: readonly (readonly [body: string, key: string | null])[] = [
  ['{"routing_key":"one"}', 'one'],
  [' \n{ "routing_key" : "one" }', 'one'],
  ['\ufeff{"routing_key":"one"}', 'one'],
  ['{"payload":{"routing_key":"inner"},"links":["routing_key"],"routing_key":"one"}', 'one'],
  ['{"a":"\\"routing_key\\":\\"inner\\"","service_key":"one"}', 'one'],
  ['{"a":"routing_key","b":"x","routing_key":"one"}', 'one'],
  ['{"service_key":"two","routing_key":"one"}', 'one'],
  ['service_key=two&routing_key=one', 'one'],
  ['{"service_key":"two","routing_key":7}', 'two'],
  ['{"payload":{"routing_key":"inner"}}', null],
  ['[{"routing_key":"inner"}]', null],
  ['{"routing_key":7}', null],
  ['{"routing_key":""}', null],
  ['{"routing_key":"one', null],
  ['{"routing_key', null],
  ['routing_key=one&a=b', 'one'],
  ['a=b&routing_key=o%2Bne', 'o+ne'],
  ['a=routing_key&my_routing_key=one', null],
  ['', null],
  [parts(['a', 'b'], ['routing_key', 'one']), 'one'],
  [parts(['service_key', 'two'], ['routing_key', 'one']), 'one'],
  [parts(['service_key', 'two'], ['routing_key', '']), 'two'],
  [` \n${parts(['routing_key', 'one'])}`, 'one'],
  [parts(['routing_key', 'one']).replaceAll('\r\n', '\n'), 'one'],
  [parts(['routing_key"; filename="key.txt', 'one']), 'one'],
  [parts(['my_routing_key', 'one'], ['a', 'routing_key=one']), null],
  [parts(['a', parts(['routing_key', 'inner']).replaceAll('boundary', 'other')]), null],
  [parts(['routing_key', 'x'.repeat(1_000)]), null],
  ['--boundary', null],
  ['--', null],
];

/** A form in parts, as `curl -F` sends it. */
function parts(...fields: readonly (readonly [name: string, value: string])[]): string {
  const head = (name: string) => `--boundary\r\nContent-Disposition: form-data; name="${name}"`;
  const written = fields.map(([name, value]) => `${head(name)}\r\n\r\n${value}\r\n`);
  return `${written.join('')}--boundary--\r\n`;
}

test('the key of the outermost object or of a form is read, and none within', () => {
  for (const [body, key] of cases) assert.equal(keyInBody(Buffer.from(body), names), key, body);
});

test('what JSON has as the key is found, whatever stands beside it', () => {
  const texts = fc.stringMatching(/^[!#-[\]-~]{1,40}$/);
  const others = fc.dictionary(
    fc.string().filter((name) => !names.includes(name)),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(others, texts, others, (before, routing_key, after) => {
      const body = { ...before, routing_key, ...after };
      assert.equal(keyInBody(Buffer.from(JSON.stringify(body)), names), routing_key);
    }),
  );
});

test('any bytes are looked through', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const key = keyInBody(Buffer.from(bytes), names);
      assert.ok(key === null || key.length > 0);
    }),
  );
});
