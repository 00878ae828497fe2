import assert from 'node:assert/strict';
import { test } from 'node:test';
import { titleWithoutState } from './title-without-state.ts';

test('marks of a state are no part of a stem', () => {
  for (const title of [
    'db',
    '[Triggered] db',
    'RESOLVED: db',
    'db is back up',
    'db - DOWN',
    'db: ok',
  ])
    assert.equal(titleWithoutState(title), 'db', title);
});

test('names that end in such a word stay apart', () => {
  for (const name of ['sign-up', 'nightly-error', 'api-new', 'Scale-down', 'Backup failed'])
    assert.equal(titleWithoutState(name), name);
});

test('a title of nothing but a state has no stem, so that it is no key', () => {
  for (const title of ['OK', '[FIRING:1]', 'DOWN', '🔴 [DOWN]', '[RESOLVED]'])
    assert.equal(titleWithoutState(title), '', title);
  assert.equal(titleWithoutState('Error'), 'Error');
});
