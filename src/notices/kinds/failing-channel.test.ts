import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailOf } from '../email.ts';
import { sampleFailingChannelNotice } from './failing-channel.ts';

test('admins read which channel fails, since when, what to do, and where', () => {
  const sender = { from: 'Pager <pager@example.com>', domain: 'example.com' };
  const notice = sampleFailingChannelNotice();
  const { subject, text } = emailOf(notice, sender);
  assert.equal(subject, 'A channel is failing: E-mail');
  assert.match(text, /^Failing since: 2026-11-21 08:00:00 UTC$/m);
  assert.match(
    text,
    /Reason: the mail server refused the sign-in with 535: correct the user and the password\. Pager keeps/,
  );
  assert.ok(text.includes(notice.url));
  const inBerlin = emailOf({ ...notice, timezone: 'Europe/Berlin' }, sender);
  assert.match(inBerlin.text, /^Failing since: 2026-11-21 09:00:00 Europe\/Berlin$/m);
});
