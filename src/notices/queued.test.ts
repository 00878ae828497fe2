import assert from 'node:assert/strict';
import { test } from 'node:test';
import { count } from '../resources/declaration/stored-document.ts';
import { fieldsOf } from './queued.ts';

test('no two kinds store a field of one name', () => {
  const [one, other] = [{ stored: { wave: count } }, { stored: { wave: count, rank: count } }];
  assert.deepEqual(Object.keys(fieldsOf([other])), ['wave', 'rank']);
  assert.throws(() => fieldsOf([one, other]), /two kinds of notices store the field wave/);
});
