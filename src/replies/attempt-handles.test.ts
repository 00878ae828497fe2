import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import {
  attemptHandle,
  readAttemptHandle,
  readOutHandle,
  readReadOutHandle,
} from './attempt-handles.ts';

const digest = (text: string) => createHmac('sha256', 'secret').update(text).digest();
const call = { organization_id: 'a'.repeat(24), key: 'page 1', attempt: 2 };
const at = { cycle: 1, nextStep: 3 };

test('a handle names an attempt, or what is read out in a call, and never the other', () => {
  const ofAttempt = attemptHandle(call, digest, at);
  const ofReadOut = readOutHandle({ call, key: 'page 2', at }, digest);
  assert.deepEqual(readAttemptHandle(ofAttempt, digest), { call, key: 'page 1', at });
  assert.deepEqual(readReadOutHandle(ofReadOut, digest), { call, key: 'page 2', at });
  assert.equal(readReadOutHandle(ofAttempt, digest), null);
  // Else a server of an older release would act on the page that the call began with.
  assert.equal(readAttemptHandle(ofReadOut, digest), null);
  assert.match(ofReadOut, /^[\w-]+\.[\w-]+$/);
});

test('a handle that was changed is not ours', () => {
  const [, proof] = readOutHandle({ call, key: 'page 2', at }, digest).split('.');
  const [payload] = readOutHandle({ call, key: 'page 3', at }, digest).split('.');
  for (const text of [`${payload}.${proof}`, `${payload}.`, `${payload}.${proof}.x`, ''])
    assert.equal(readReadOutHandle(text, digest), null);
});

test('of what does not escalate, the handle names no step', () => {
  const read = readAttemptHandle(attemptHandle(call, digest), digest);
  assert.deepEqual(read, { call, key: 'page 1', at: null });
});
