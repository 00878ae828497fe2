import assert from 'node:assert/strict';
import { test } from 'node:test';
import { merged, patchOf } from './edits.ts';

const base = { name: 'Night', zone: 'Etc/UTC', people: ['ada'] };

test('what only one of two people has changed is kept, of both', () => {
  const theirs = { ...base, people: ['ada', 'lin'] };
  const yours = { ...base, zone: 'Europe/Berlin' };
  const both = { name: 'Night', zone: 'Europe/Berlin', people: ['ada', 'lin'] };
  assert.deepEqual(merged({ base, theirs, yours }), both);
});

test('of what both have changed it is yours', () => {
  const theirs = { ...base, name: 'Nights' };
  const yours = { ...base, name: 'Late', people: [] };
  assert.deepEqual(merged({ base, theirs, yours }), yours);
  assert.deepEqual(merged({ base, theirs, yours: base }), theirs);
});

test('what one of them has removed is gone, of both', () => {
  type Settings = Readonly<Record<string, string>>;
  const own: Settings = { slack: 'own', msteams: 'own', webhooks: 'own' };
  const theirs: Settings = { msteams: 'own', webhooks: 'own' };
  const yours: Settings = { slack: 'own', webhooks: 'own' };
  assert.deepEqual(merged({ base: own, theirs, yours }), { webhooks: 'own' });
});

test('only what has changed is sent', () => {
  type Settings = Readonly<Record<string, readonly string[]>>;
  const settings: Settings = { slack: ['a'], webhooks: ['b'] };
  assert.deepEqual(patchOf({ base: settings, yours: { ...settings } }), {});
  assert.deepEqual(patchOf({ base: settings, yours: { slack: ['a'], msteams: ['c'] } }), {
    msteams: ['c'],
    webhooks: null,
  });
});
