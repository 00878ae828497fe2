import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MASK } from '../../resources/declaration/references-and-secrets.ts';
import { outboundWebhook } from '../../resources/outbound-webhook.ts';
import { resourceAttributes } from '../schema.ts';
import { keepMasked } from './masked.ts';

const attributes = resourceAttributes(outboundWebhook).filter(({ name }) =>
  ['name', 'url', 'headers'].includes(name),
);
const url = 'https://hook.test/';
const state = { name: 'Hook', url, headers: { 'X-Key': 'k', 'X-Empty': '' } };

test('headers that a key may not read stay as the state has them', () => {
  const headers = { 'X-Key': MASK, 'X-Empty': MASK };
  const { value, isMasked, isLacking } = keepMasked(attributes, state, {
    name: 'Renamed',
    url: MASK,
    headers,
  });
  assert.deepEqual([value, isMasked, isLacking], [{ ...state, name: 'Renamed' }, true, false]);
});

test('a header that was removed is gone, and of one that was added the value is lacking', () => {
  const removed = keepMasked(attributes, state, { ...state, headers: { 'X-Key': MASK } });
  assert.deepEqual(
    [removed.value, removed.isLacking],
    [{ ...state, headers: { 'X-Key': 'k' } }, false],
  );
  const added = keepMasked(attributes, state, { ...state, headers: { 'X-New': MASK } });
  assert.equal(added.isLacking, true);
});

test('a key that may read them has those of the answer', () => {
  const now = { ...state, headers: { 'X-Key': 'changed' } };
  const { value, isMasked } = keepMasked(attributes, state, now);
  assert.deepEqual([value, isMasked], [now, false]);
});
