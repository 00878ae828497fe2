import assert from 'node:assert/strict';
import { test } from 'node:test';
import { published } from './published.ts';

test('a published file that is not here is left out, or missed where it is required', (t) => {
  const before = process.env['PAGER_TEST_PUBLISHED'];
  t.after(() => {
    if (before === undefined) delete process.env['PAGER_TEST_PUBLISHED'];
    else process.env['PAGER_TEST_PUBLISHED'] = before;
  });
  delete process.env['PAGER_TEST_PUBLISHED'];
  assert.equal(published('contracts/nobody/nothing.json'), null);
  process.env['PAGER_TEST_PUBLISHED'] = 'required';
  assert.throws(() => published('contracts/nobody/nothing.json'), /nothing\.json is missing/);
});
