import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailOf } from '../email.ts';
import { sampleFailingConnectionNotice } from './failing-connection.ts';

test('admins read which connection fails, since when, what to change, and where', () => {
  const sender = { from: 'Pager <pager@example.com>', domain: 'example.com' };
  const notice = sampleFailingConnectionNotice();
  const { subject, text } = emailOf(notice, sender);
  assert.equal(subject, 'A channel connection is failing: Calls <Berlin>');
  assert.match(text, /^Failing since: 2026-11-21 08:00:00 UTC$/m);
  assert.match(text, /set auth_token to that of the console \(20003\)\. Other connections/);
  assert.ok(text.includes(notice.url));
  const inBerlin = emailOf({ ...notice, timezone: 'Europe/Berlin' }, sender);
  assert.match(inBerlin.text, /^Failing since: 2026-11-21 09:00:00 Europe\/Berlin$/m);
});
