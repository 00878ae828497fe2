import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailOf } from '../email.ts';
import { sampleAccountNotice } from './account.ts';

test('a mail has the link in its body and nowhere else', () => {
  const sender = { from: 'Pager <pager@example.com>', domain: 'example.com' };
  const { text, html, subject, ...rest } = emailOf(sampleAccountNotice(), sender);
  assert.equal(subject, 'You are invited to Pager: Acme & Sons');
  assert.match(text, /^Set password: https:\/\/pager\.example\.com\/set-password\/0123abcd$/m);
  assert.match(text, /^Invited by: Grace Hopper$/m);
  assert.match(text, /^Valid until: 2026-11-28 08:00:00 UTC$/m);
  assert.match(html, /set-password\/0123abcd/);
  assert.doesNotMatch(JSON.stringify([subject, rest]), /0123abcd/);
});
