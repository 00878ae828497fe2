import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from './code.ts';

test('a code is read from what was pasted around it', () => {
  assert.equal(codeOf(' 123 456\n'), '123456');
  assert.equal(codeOf('Code: 012345.'), '012345');
  assert.equal(codeOf('1234567'), '123456');
  assert.equal(codeOf(''), '');
});
