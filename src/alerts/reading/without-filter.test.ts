import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pushed } from '../../../test/http-event.ts';
import type { Json } from '../alert.ts';
import { pathOf, valueAt } from './path.ts';

const hashOf = (labels: Json): Json | undefined =>
  valueAt(
    pathOf('labels > without severity state > hash'),
    { item: { labels }, root: null, request: pushed },
    'exact',
  );

test('members that change with the state of an alert are left out of its hash', () => {
  const warning = hashOf({ host: 'db1', port: 5432, severity: 'WARNING', state: 'on' });
  assert.equal(typeof warning, 'string');
  assert.equal(hashOf({ host: 'db1', port: '5432', Severity: 'OKAY' }), warning);
  assert.notEqual(hashOf({ host: 'db2', port: 5432 }), warning);
});

test('what is no object is not changed by leaving members out', () => {
  const scope = { item: { host: 'db1' }, root: null, request: pushed };
  assert.equal(valueAt(pathOf('host > without severity'), scope, 'exact'), 'db1');
});
