import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailOf } from '../email.ts';
import { sampleFailingWebhookNotice } from './failing-webhook.ts';

test('admins read which webhook fails, since when, and that it is still called', () => {
  const sender = { from: 'Pager <pager@example.com>', domain: 'example.com' };
  const { subject, text } = emailOf(sampleFailingWebhookNotice(), sender);
  assert.equal(subject, 'An outbound webhook has been failing for 3 days: Status page <public>');
  assert.match(text, /^Failing since: 2026-11-21 08:00:00 UTC$/m);
  assert.match(text, /Pager still calls it/);
});
