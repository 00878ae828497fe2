import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLeft } from './leaving.ts';

const at = (pathname: string, search: object = {}) => ({ pathname, search });

test('another page or tab takes what is typed with it, another filter or time does not', () => {
  const here = at('/on-calls/7', { tab: 'layers', team: 'all' });
  for (const [next, expected] of [
    [at('/incidents'), true],
    [at('/on-calls/8', { tab: 'layers' }), true],
    [at('/on-calls/7', { tab: 'revisions' }), true],
    [at('/on-calls/7'), true],
    [at('/on-calls/7', { tab: 'layers', from: '2026-11-23' }), false],
  ] as const)
    assert.equal(isLeft(here, next), expected, JSON.stringify(next));
});
