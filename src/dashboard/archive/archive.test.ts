import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Archived, archivedOf } from './archive.ts';

const archived = (kind: string, name: string, day: number): Archived => ({
  kind,
  path: `/${kind}s`,
  id: name,
  name,
  version: 1,
  archived_at: `2026-01-0${day}T00:00:00Z`,
});
const all = [
  archived('service', 'Shop', 1),
  archived('team', 'Shopping', 3),
  archived('service', 'Web', 2),
];
const names = (kind: string | undefined, text = '') =>
  archivedOf(all, { kind, text }).map(({ name }) => name);

test('the archive begins with what was archived last', () =>
  assert.deepEqual(names(undefined), ['Shopping', 'Web', 'Shop']));

test('it is narrowed by kind and by a part of the name', () => {
  assert.deepEqual(names('service'), ['Web', 'Shop']);
  assert.deepEqual(names(undefined, ' SHOP '), ['Shopping', 'Shop']);
  assert.deepEqual(names('team', 'web'), []);
});
