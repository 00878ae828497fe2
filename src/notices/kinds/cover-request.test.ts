import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailOf } from '../email.ts';
import { wordsOf } from '../notice.ts';
import { ntfyMessageOf } from '../ntfy.ts';
import { pushMessageOf } from '../push.ts';
import { smsOf } from '../sms.ts';
import { coverRequest, sampleCoverRequestNotice } from './cover-request.ts';

test('the mail says who asks, for which schedule and time, why, and leads to the request', () => {
  const notice = sampleCoverRequestNotice();
  const mail = emailOf(notice, { from: 'Pager <pager@example.com>', domain: 'example.com' });
  assert.equal(
    mail.subject,
    'Ada Lovelace asks for cover: Payments <primary>, Sat 2026-11-21 09:00',
  );
  assert.equal(
    mail.text,
    `Ada Lovelace asks for cover
Payments <primary>, Sat 2026-11-21 09:00

From: Sat 2026-11-21 09:00 Europe/Berlin (Sat 2026-11-21 08:00 UTC)
Until: Sat 2026-11-21 17:00 Europe/Berlin (Sat 2026-11-21 16:00 UTC)

Open request: https://pager.example.com/on-calls/65f0000000000000000000c1?request=65f0000000000000000000e1

A family matter.

-- 
Sent by Pager for Acme & Sons. You get this because: You are on this schedule.
`,
  );
});

test('whoever asks for somebody else is named, too', () => {
  const { lead, facts } = wordsOf(sampleCoverRequestNotice({ requester: 'Grace Hopper' }));
  assert.equal(lead, 'Ada Lovelace asks for cover');
  assert.deepEqual(facts.at(-1), { name: 'Requested by', value: 'Grace Hopper' });
});

test('a short text has the day and time on the clock of its reader', () => {
  const notice = sampleCoverRequestNotice({}, { timezone: 'Asia/Kathmandu' });
  assert.equal(
    smsOf(notice, { canReply: false }),
    'Ada Lovelace asks for cover: Payments <primary>, Sat 2026-11-21 13:45',
  );
});

test('it is no louder than a notice of a shift', () => {
  const notice = sampleCoverRequestNotice();
  assert.equal(wordsOf(notice).tone, 'news');
  const options = { topic: 'x', publicUrl: 'https://pager.example.com' };
  assert.equal(ntfyMessageOf(notice, pushMessageOf(notice), options).priority, 3);
});

test('an e-mail leads to the request, and to the page that turns off such e-mails', () => {
  const { request } = sampleCoverRequestNotice();
  const composed = (channel: string) =>
    coverRequest.compose(
      {
        about: 'cover_request',
        kind: 'cover_request',
        request,
        isOpen: true,
        organization_id: 'o',
        key: 'k',
        channel,
        address: 'a',
        recipient: 'Lin',
        mention: null,
        why: 'w',
        user_id: 'lin',
        organizationName: 'Acme',
        timezone: 'UTC',
        language: 'en',
      },
      {
        publicUrl: 'https://pager.test',
        linkFor: () => '',
        handleFor: () => '',
        unsubscribeFor: ({ user_id }) => `https://pager.test/unsubscribe/${user_id}`,
      },
    );
  const { url, unsubscribe } = composed('email');
  assert.equal(url, `https://pager.test/on-calls/${request.schedule.id}?request=${request.id}`);
  assert.equal(unsubscribe, 'https://pager.test/unsubscribe/lin');
  assert.equal(composed('sms').unsubscribe, undefined);
});
