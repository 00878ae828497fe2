import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleAccountNotice } from './kinds/account.ts';
import { sampleCodeNotice } from './kinds/code.ts';
import { sampleFailingChannelNotice } from './kinds/failing-channel.ts';
import { sampleFailingConnectionNotice } from './kinds/failing-connection.ts';
import { sampleFailingWebhookNotice } from './kinds/failing-webhook.ts';
import { sampleNotice } from './kinds/incident.ts';
import { sampleLostContactNotice } from './kinds/lost-contact.ts';
import { sampleShiftNotice } from './kinds/shift.ts';
import { sampleUsageNotice } from './kinds/usage.ts';
import type { Notice } from './notice.ts';
import { smsOf } from './sms.ts';

const handles = { acknowledge: 'a', resolve: 'r', escalate: 'e' };
type Incident = Parameters<typeof sampleNotice>[1];
const page = (incident: Incident = {}) =>
  sampleNotice({ handles }, { title: 'Disk full', ...incident });
const url = 'https://pager.example.com/incidents/42';

const cases: readonly (readonly [name: string, Notice, canReply: boolean, text: string])[] = [
  [
    'a page',
    page({ service: 'Shop' }),
    true,
    'INC-42 P1 Shop: Disk full - 4 42 ack, 6 42 resolve, 9 42 escalate',
  ],
  [
    'a page by a sender that receives nothing',
    page(),
    false,
    `INC-42 P1 Payments: Disk full ${url}`,
  ],
  [
    'a page of an incident that is acknowledged',
    page({ status: 'acknowledged' }),
    true,
    'INC-42 P1 Payments: Disk full - 6 42 resolve',
  ],
  [
    'a page of somebody who may not act',
    sampleNotice({ readOnlyRole: 'viewer' }),
    true,
    'INC-42 P1 Payments: Disk full on <db-1>',
  ],
  [
    'a page with links, controls and turned text',
    page({ title: 'See https://evil.example/x\u202e now\u0007 at bit.ly/abc' }),
    true,
    'INC-42 P1 Payments: See now at - 4 42 ack, 6 42 resolve, 9 42 escalate',
  ],
  [
    'a page with typographic signs and emoji',
    page({ title: '🔥 “Disk” – full…' }),
    true,
    'INC-42 P1 Payments: "Disk" - full... - 4 42 ack, 6 42 resolve, 9 42 escalate',
  ],
  [
    'a page with a long title',
    page({ title: 'x'.repeat(300) }),
    true,
    `INC-42 P1 Payments: ${'x'.repeat(97)}... - 4 42 ack, 6 42 resolve, 9 42 escalate`,
  ],
  [
    'a page that stays UCS-2',
    page({ title: '磁盘已满'.repeat(20) }),
    true,
    `INC-42 P1 Payments: ${'磁盘已满'.repeat(9)}磁盘… - 4 42=ack`,
  ],
  [
    'a page whose service has a long name',
    page({ service: 's'.repeat(100) }),
    true,
    `INC-42 P1 ${'s'.repeat(37)}...: Disk full - 4 42 ack, 6 42 resolve, 9 42 escalate`,
  ],
  [
    'an all-clear',
    sampleNotice(
      { kind: 'all_clear' },
      { status: 'resolved', resolved_by: 'Bo', title: 'Disk full' },
    ),
    true,
    'Resolved by Bo: INC-42 P1 Payments: Disk full',
  ],
  [
    'an assignment',
    sampleNotice({ kind: 'assigned', recipient: 'Ada', handles }, { title: 'Disk full' }),
    true,
    'Assigned to Ada: INC-42 P1 Payments: Disk full - 4 42 ack, 6 42 resolve, 9 42 escalate',
  ],
  [
    'the start of a shift',
    sampleShiftNotice(),
    true,
    'You are on call now: Payments <primary>, until Sat 2026-11-28 09:00',
  ],
  [
    'the end of a shift',
    sampleShiftNotice({ kind: 'shift_end' }),
    true,
    'Your shift has ended: Payments <primary>',
  ],
  [
    'a code',
    sampleCodeNotice(),
    true,
    '042137 is your Pager code. If you did not request it, ignore this.',
  ],
  [
    'the use of the limit',
    sampleUsageNotice(),
    true,
    '80% of the monthly alert limit is used: Acme & Sons',
  ],
  [
    'a webhook that fails',
    sampleFailingWebhookNotice(),
    true,
    'An outbound webhook has been failing for 3 days: Status page <public>',
  ],
  [
    'a connection that fails',
    sampleFailingConnectionNotice(),
    true,
    'A channel connection is failing: Calls <Berlin>',
  ],
  ['a channel that fails', sampleFailingChannelNotice(), true, 'A channel is failing: E-mail'],
  [
    'a contact that is lost',
    sampleLostContactNotice(),
    true,
    'One of your contacts no longer works: SMS to ...5678',
  ],
  ['an invitation', sampleAccountNotice(), true, 'You are invited to Pager: Acme & Sons'],
];

for (const [name, notice, canReply, text] of cases)
  test(`${name}: ${text}`, () => assert.equal(smsOf(notice, { canReply }), text));

test('a page names what an answer may do', () => {
  const may = (actions: 'acknowledge' | 'none', incident: Incident = {}) =>
    smsOf(page(incident), { canReply: true, actions });
  assert.equal(may('acknowledge'), 'INC-42 P1 Payments: Disk full - 4 42 ack');
  assert.equal(may('acknowledge', { status: 'acknowledged' }), 'INC-42 P1 Payments: Disk full');
  assert.equal(may('none'), 'INC-42 P1 Payments: Disk full');
});
