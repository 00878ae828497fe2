import assert from 'node:assert/strict';
import { test } from 'node:test';
import { displayNameOf } from './record.ts';

const id = 'f'.repeat(24);

test('a record is called by its name, and an integration without one as incidents call it', () => {
  const integration = { id, slug: 'grafana', counter: 3 };
  assert.equal(displayNameOf({ id, name: 'Shop' }), 'Shop');
  assert.equal(displayNameOf({ ...integration, name: 'Shop' }), 'Shop');
  assert.equal(displayNameOf(integration), 'grafana integration 3');
  assert.equal(displayNameOf({ id }), id);
});
