import assert from 'node:assert/strict';
import { test } from 'node:test';
import { records } from '../index.ts';
import { anything, listOf, objectOf, text } from './field.ts';
import { jsonBytesMax } from './size.ts';

test('the largest value of a shape fits, however its text is written', () => {
  const shape = objectOf({ names: listOf(text({ doc: '', max: 3 }), { doc: '', max: 2 }) });
  const escaped =
    '{"names":["\\ud83e\\udd89\\ud83e\\udd89\\ud83e\\udd89","\\ud83e\\udd89\\ud83e\\udd89\\ud83e\\udd89"]}';
  assert.deepEqual(JSON.parse(escaped), { names: ['🦉🦉🦉', '🦉🦉🦉'] });
  const max = jsonBytesMax(shape);
  assert.ok(escaped.length <= max && max < 2 * escaped.length, String(max));
});

test('of every record something is the largest, and what may be anything has no bound', () => {
  for (const { name, input } of records) assert.ok(Number.isFinite(jsonBytesMax(input)), name);
  assert.equal(jsonBytesMax(objectOf({ body: anything('') })), Number.POSITIVE_INFINITY);
});
