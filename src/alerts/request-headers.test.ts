import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storedHeaders, storedQuery } from './request-headers.ts';

test('headers that a type reads are kept, with a few of every request', () => {
  const sent = {
    'content-type': 'application/json',
    'user-agent': 'tool/1',
    'x-signature': 'sha256=00',
    'x-other': 'x',
    'x-twice': ['a', 'b'],
  };
  const always = { 'content-type': 'application/json', 'user-agent': 'tool/1' };
  assert.deepEqual(storedHeaders(undefined, sent), always);
  assert.deepEqual(storedHeaders({ headers: ['x-signature', 'x-twice', 'x-absent'] }, sent), {
    ...always,
    'x-signature': 'sha256=00',
    'x-twice': 'a, b',
  });
});

test('what is known of a signature is kept only where it is checked, never as somebody sent it', () => {
  const sent = { 'pager-signature': 'good' };
  assert.deepEqual(storedHeaders({ envelope: 'sns' }, sent), sent);
  assert.deepEqual(storedHeaders({ headers: ['pager-signature'] }, sent), {});
  assert.deepEqual(storedHeaders(undefined, sent), {});
});

test('what lets somebody in is never kept, even if a type asks for it', () => {
  const headers = ['authorization', 'cookie', 'x-api-key', 'proxy-authorization'];
  const sent = Object.fromEntries(headers.map((name) => [name, 'secret']));
  assert.deepEqual(storedHeaders({ headers }, sent), {});
});

test('what is too long is cut, and ends in a sign that says so', () => {
  assert.equal(storedQuery('x'.repeat(4_096)), 'x'.repeat(4_096));
  assert.equal(storedQuery('x'.repeat(4_097)), `${'x'.repeat(4_095)}…`);
  const stored = storedHeaders(undefined, { 'user-agent': `\0${'y'.repeat(1_025)}` });
  assert.equal(stored['user-agent'], `${'y'.repeat(1_023)}…`);
});
