import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pressed } from './keys.ts';

/** What the last of these keys does. */
const actionOf = (...sequence: string[]) =>
  sequence.reduce((last, key) => pressed(last.before, key), pressed([], '')).action;

test('keys act alone or one after the other', () => {
  assert.equal(actionOf('j'), 'next');
  assert.equal(actionOf('k'), 'previous');
  assert.equal(actionOf('?'), 'help');
  assert.equal(actionOf('g', 'i'), 'incidents');
});

test('a sequence that is broken off does nothing, and its last key counts as the first', () => {
  assert.equal(actionOf('i'), null);
  assert.equal(actionOf('g', 'y'), null);
  assert.equal(actionOf('g', 'y', 'i'), null);
  assert.equal(actionOf('g', 'j'), 'next');
  assert.equal(actionOf('g', 'g', 'i'), 'incidents');
});
