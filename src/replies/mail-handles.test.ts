import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { mailAddress, mailHandle, readMailAddress } from './mail-handles.ts';

const digest = (text: string) => createHmac('sha256', 'secret').update(text).digest();
const incidentId = 'a1'.repeat(12);
const page = { incidentId, key: `${incidentId}/0/0/email/${'b'.repeat(24)}`, attempt: 1 };
const handle = mailHandle(page, digest);
const localPart = (purpose: 'reply' | 'bounce') =>
  mailAddress(purpose, handle, 'alerts.example.com').replace(/@.*/, '');

test('an address of a page names its incident and attempt, and fits the local part of an address', () => {
  for (const purpose of ['reply', 'bounce'] as const) {
    const read = readMailAddress(localPart(purpose), digest);
    assert.equal(read?.purpose, purpose);
    assert.equal(read?.handle.incidentId, incidentId);
    assert.ok(localPart(purpose).length <= 64);
  }
  assert.notEqual(mailHandle({ ...page, attempt: 2 }, digest), handle);
});

test('nobody makes such an address without the secret key', () => {
  const own = localPart('reply');
  const changed = [...own].map(
    (digit, at) => own.slice(0, at) + (digit === '0' ? '1' : '0') + own.slice(at + 1),
  );
  for (const text of [...changed, own.slice(0, -1), `${own}0`, 'r+', '', 'a'.repeat(40)])
    assert.equal(readMailAddress(text, digest), null, text);
  const other = (text: string) => digest(`x${text}`);
  assert.equal(readMailAddress(own, other), null);
});
