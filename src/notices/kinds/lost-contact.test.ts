import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailOf } from '../email.ts';
import { sampleLostContactNotice } from './lost-contact.ts';

const sender = { from: 'Pager <pager@example.com>', domain: 'example.com' };
const mailOf = (...change: Parameters<typeof sampleLostContactNotice>) =>
  emailOf(sampleLostContactNotice(...change), sender);

test('a person reads which contact is lost, why, and where to mend it', () => {
  const { subject, text } = mailOf();
  assert.equal(subject, 'One of your contacts no longer works: SMS to …5678');
  assert.match(text, /^Since: 2026-11-21 08:00:00 UTC$/m);
  assert.match(text, /Pages are no longer sent there: someone sent STOP by SMS\./);
  assert.match(text, /Send START from that phone/);
  assert.ok(text.includes('https://pager.example.com/me'));
});

for (const [change, named, why, remedy] of [
  [
    { channel: 'sms', state: 'invalid' },
    'SMS to …5678',
    'or cannot receive SMS.',
    'Correct the number',
  ],
  [
    { channel: 'phone', state: 'invalid' },
    'calls to …5678',
    'the number does not exist.',
    'and verify it',
  ],
  [
    { channel: 'telegram', name: '…4711', state: 'blocked' },
    'Telegram chat …4711',
    'the bot was blocked in Telegram.',
    'Unblock the bot in Telegram',
  ],
  [
    { channel: 'telegram', name: '…4711', state: 'gone' },
    'Telegram chat …4711',
    'this chat no longer exists.',
    'Link a chat again',
  ],
  [
    { channel: 'push-notification', name: 'Firefox on Linux', state: 'gone' },
    'notifications in Firefox on Linux',
    'this browser no longer accepts notifications from Pager.',
    'Turn notifications on again',
  ],
] as const)
  test(`${change.channel}, ${change.state}: ${remedy}`, () => {
    const { subject, text } = mailOf(change);
    assert.ok(subject.endsWith(`: ${named}`), subject);
    assert.ok(text.includes(why) && text.includes(remedy), text);
  });

test('an admin reads whose contact it is, and that they are on call', () => {
  const person = { id: '65f0000000000000000000b1', name: 'Ada Lovelace' };
  const { subject, text } = mailOf({ person });
  assert.equal(subject, 'A contact of someone on call no longer works: Ada Lovelace, SMS to …5678');
  assert.match(text, /someone sent STOP by SMS\. Ada Lovelace is on call now or within 24/);
  assert.ok(text.includes('https://pager.example.com/users/65f0000000000000000000b1'));
  assert.doesNotMatch(text, /Send START/);
});
