import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detailKeysOf } from './detail-keys.ts';

test('values inside details are named by their paths, each once', () => {
  const details = [
    { labels: { host: 'db-1', env: null }, values: [{ name: 'a' }] },
    { labels: { host: 'db-2', job: 'node' } },
    'only text',
    undefined,
  ];
  assert.deepEqual(detailKeysOf(details), ['labels.host', 'values.0.name', 'labels.job']);
});

test('large and deep details are read in part', () => {
  const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, 1]));
  assert.equal(detailKeysOf([wide]).length, 200);
  const deep = JSON.parse(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`);
  assert.deepEqual(detailKeysOf([deep]), []);
});
