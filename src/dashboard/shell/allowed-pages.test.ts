import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Role, roles } from '../../resources/roles.ts';
import { pagesFor, settingsFor } from './allowed-pages.ts';
import { type MenuPage, pages } from './pages.ts';

const allowed: Readonly<Record<Role, readonly MenuPage[]>> = {
  viewer: [],
  responder: [],
  manager: [pages.channels],
  admin: [pages.channels, pages.apiKeys, pages.auditLog],
  owner: [pages.channels, pages.apiKeys, pages.auditLog],
};
const limited = allowed.owner;

test('a page that needs a role is offered only to those who have it', () => {
  for (const role of roles)
    assert.deepEqual(
      pagesFor({ role }).filter((page) => limited.includes(page)),
      allowed[role],
      role,
    );
  assert.deepEqual(pagesFor({ role: 'owner' }), Object.values(pages));
});

test('before it is known who somebody is, none of them is offered', () =>
  assert.deepEqual(
    pagesFor(undefined),
    Object.values(pages).filter((page) => !limited.includes(page)),
  ));

test('the settings that somebody may open follow each other in the order of the menu', () => {
  assert.deepEqual(settingsFor({ role: 'admin' }), [
    pages.organization,
    pages.channels,
    pages.apiKeys,
    pages.auditLog,
    pages.quota,
    pages.archive,
  ]);
  assert.deepEqual(settingsFor({ role: 'viewer' }), [
    pages.organization,
    pages.quota,
    pages.archive,
  ]);
});
