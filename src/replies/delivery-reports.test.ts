import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bounces, delayed } from '../../test/returned-mails.ts';
import { readBounce } from '../api/mail/message.ts';
import { mailLimits } from '../limits/mail.ts';
import { deliveryReports } from './delivery-reports.ts';

const to = 'b+1@alerts.example.test';
const failed = 'ada@example.test';

test('the bounces of mail servers are read alike', async () => {
  for (const [server, write] of Object.entries(bounces)) {
    const raw = new TextEncoder().encode(write(to, failed, { status: '5.1.1' }));
    const [report, ...others] = (await readBounce(raw)) ?? [];
    assert.deepEqual(others, [], server);
    assert.equal(report?.action, 'failed', server);
    assert.equal(report?.status, '5.1.1', server);
    assert.equal(report?.recipient, failed, server);
    assert.match(report?.diagnostic ?? '', /^550/, server);
  }
});

test('a warning of a delay is a report of another action', async () => {
  const raw = new TextEncoder().encode(delayed(to, failed, { status: '' }));
  assert.equal((await readBounce(raw))?.[0]?.action, 'delayed');
});

test('a mail without a report is no bounce', async () => {
  const raw = new TextEncoder().encode(`From: <${failed}>\r\nTo: <${to}>\r\n\r\nI am away.\r\n`);
  assert.equal(await readBounce(raw), null);
});

test('what is no status, and more recipients than the limit, are left out', () => {
  const group = 'Final-Recipient: rfc822;a@example.test\nAction: failed\nStatus: 5.1.1\n\n';
  const many = `Reporting-MTA: dns;x\n\n${group.repeat(mailLimits.reportedRecipients + 5)}`;
  assert.equal(deliveryReports(many).length, mailLimits.reportedRecipients);
  for (const text of ['', 'x', `Reporting-MTA: dns;x\n\nAction: failed\nStatus: 9.9\n`])
    assert.deepEqual(deliveryReports(text), []);
});
