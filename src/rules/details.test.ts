import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { detailStart, detailText } from './details.ts';

const details = JSON.parse(`{
  "host": "db-12", "load": 0.5, "up": false, "owner": null, "empty": "",
  "labels": { "app.kubernetes.io/name": "postgres", "a": { "b": "deep" }, "a.b": "literal" },
  "alerts": [{ "name": "first" }, ["x", "y"]], "x.y": 1, "x": { "y": 2, "z": 3 },
  "__proto__": { "own": "kept" }
}`);

const cases: readonly [path: string, text: string | null, title: string][] = [
  ['host', 'db-12', 'a text is itself'],
  ['load', '0.5', 'a number is its JSON'],
  ['up', 'false', 'so is a boolean'],
  ['owner', 'null', 'null is a value'],
  ['empty', '', 'an empty text is a value'],
  ['labels.a', '{"b":"deep"}', 'an object is its JSON'],
  ['alerts.0.name', 'first', 'a list goes by index'],
  ['alerts.1.1', 'y', 'lists may be nested'],
  ['alerts.2', null, 'behind the end of a list is nothing'],
  ['alerts.length', null, 'the length of a list is no member'],
  ['alerts.-1', null, 'a list is not counted from its end'],
  ['labels.app.kubernetes.io/name', 'postgres', 'a name may have dots'],
  ['labels.a.b', 'literal', 'a name with dots goes before a path'],
  ['x.y', '1', 'so it does at the top'],
  ['x.z', '3', 'a path is followed where no name has its dots'],
  ['__proto__.own', 'kept', 'an own property of any name is found'],
  ['toString', null, 'what is inherited is not'],
  ['labels.constructor.name', null, 'not below either'],
  ['host.length', null, 'a text has no members'],
  ['host.0', null, 'nor characters'],
  ['labels.', null, 'an empty name is none'],
  ['.host', null, 'nor is one before a dot'],
];

for (const [path, text, title] of cases)
  test(`at ${path}: ${title}`, () => assert.equal(detailText(details, path), text));

test('details that are no object have nothing at any path', () => {
  for (const other of [null, undefined, 'text', 7, true])
    assert.equal(detailText(other, 'length'), null);
});

test('a path of dots alone ends', () => {
  assert.equal(detailText({ '': { '': 'x' } }, '.'), 'x');
  assert.equal(detailText({ '': {} }, '.'.repeat(255)), null);
});

test('the start of a value is that of its text', () => {
  const value = fc.jsonValue({ depthSize: 'medium', stringUnit: 'binary' });
  fc.assert(
    fc.property(value, fc.nat(200), (one, length) => {
      const text = detailText({ one }, 'one') ?? '';
      assert.equal(detailStart({ one }, 'one', length), text.slice(0, length));
    }),
  );
});

test('the start of a value does not ask for the rest of it', () => {
  const rest = {
    get next() {
      return assert.fail('it was asked for');
    },
  };
  assert.equal(detailStart({ list: ['x'.repeat(99), rest] }, 'list', 100).length, 100);
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  assert.equal(detailStart({ deep }, 'deep', 100), '['.repeat(100));
});
