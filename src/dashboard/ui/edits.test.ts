import assert from 'node:assert/strict';
import { test } from 'node:test';
import { merged } from './edits.ts';

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
