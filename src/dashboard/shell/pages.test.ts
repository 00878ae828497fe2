import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roles } from '../../resources/roles.ts';
import { pages, pagesFor } from './pages.ts';

const all = Object.values(pages);

test('a page that needs a role is offered only to those who have it', () => {
  const others = all.filter((page) => page !== pages.channels);
  for (const role of roles) {
    const isAllowed = ['manager', 'admin', 'owner'].includes(role);
    assert.deepEqual(pagesFor({ role }), isAllowed ? all : others, role);
  }
});

test('before it is known who somebody is, it is not offered', () => {
  assert.ok(!pagesFor(undefined).includes(pages.channels));
});
