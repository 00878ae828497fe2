// A kind of notice that the product does not have, by its file (here: this one) and its line alone: it is
// read from the outbox, canceled or counted as it declares, and sent by every channel.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyNotice, QueuedKind } from '../../src/notices/kind.ts';
import {
  DOCUMENT_VERSION,
  number,
  objectOf,
  text,
} from '../../src/resources/declaration/stored-document.ts';
import { anyDatabase } from '../database.ts';

type Report = { readonly week: string; readonly pages: number };
type Due = {
  readonly about: 'report';
  readonly kind: 'weekly_report';
  readonly report: Report;
};
type Content = Due & { readonly url: string };

const weeklyReport: QueuedKind<Content, { readonly weekly_report: Report }, Due> = {
  about: 'report',
  stored: { weekly_report: objectOf<Report>({ week: text, pages: number }) },
  read: ({ notice: { weekly_report: report } }) =>
    report ? { about: 'report', kind: 'weekly_report', report } : null,
  compose: ({ about, kind, report }, { publicUrl }) => ({
    about,
    kind,
    report,
    url: `${publicUrl}/reports/${report.week}`,
  }),
  unwanted: ({ report }) =>
    report.pages === 0 ? { reason: 'nobody was paged', entry: null } : null,
  isLimited: () => true,
  words: ({ organization, report, url, why }) => ({
    tone: 'news',
    lead: 'Your week on call',
    label: '',
    title: report.week,
    facts: [{ name: 'Pages', value: String(report.pages) }],
    details: '',
    actions: [{ href: url, text: 'Open report' }],
    links: [],
    why,
    organization: organization.name,
  }),
  threadOf: ({ report }) => `report-${report.week}`,
  sample: (): AnyNotice & Content => ({
    about: 'report',
    kind: 'weekly_report',
    key: 'report/2026-W48/ada',
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    why: 'you were on call',
    report: { week: '2026-W48', pages: 3 },
    url: 'https://pager.example.com/reports/2026-W48',
  }),
};

/** The line that adds it. What reads the list is loaded after that. */
async function added() {
  const { kinds } = await import('../../src/notices/kinds/index.ts');
  const list = kinds as unknown as unknown[];
  if (!list.includes(weeklyReport)) list.push(weeklyReport);
}

test('a new kind of notice is its file and a line in a list', async () => {
  await added();
  const { startInProcess } = await import('../system/in-process.ts');
  const { startMailServer } = await import('../system/notice-servers.ts');
  const { mailTo } = await import('../system/server-process.ts');
  const { eventually } = await import('../system/eventually.ts');
  await using mail = await startMailServer();
  await using pager = await startInProcess(await anyDatabase(), mailTo(mail));
  const { sql, url } = pager;
  const write = (report: Report) => sql`
    insert into outbox (organization_id, key, kind, channel, recipient_key, notice, user_id, cycle,
      step, rank, state, attempts, created_at, wake_at)
    select organization_id, ${`report/${report.week}`}, 'weekly_report', channel,
      'email ' || left(encode(sha256(convert_to(address, 'UTF8')), 'hex'), 32),
      json_build_object('v', ${DOCUMENT_VERSION}::integer, 'address', address, 'recipient', 'Ada',
        'mention', null, 'why', 'you were on call', 'weekly_report', ${sql.json({ ...report })}::json),
      user_id, 0, 0, 6, 'pending', 0, now(), now()
    from contacts where channel = 'email' limit 1`;
  await write({ week: '2026-W47', pages: 0 });
  await write({ week: '2026-W48', pages: 3 });

  const { subject, text: body } = await mail.arrival('the report', ({ notice }) =>
    notice.startsWith('report/'),
  );
  assert.equal(subject, 'Your week on call: 2026-W48');
  assert.match(body, /^Pages: 3$/m);
  assert.match(body, /because: you were on call\.$/m);
  assert.ok(body.includes(`Open report: ${url}/reports/2026-W48`), body);
  await pager.calm();
  await eventually('both have ended', async () => {
    const rows = await sql`select from outbox where state = 'pending'`;
    return rows.length === 0;
  });
  const ended = await sql`select key, state, reason from outbox order by key`;
  assert.deepEqual(
    ended.map(({ key, state, reason }) => [key, state, reason]),
    [
      ['report/2026-W47', 'cancelled', 'nobody was paged'],
      ['report/2026-W48', 'sent', null],
    ],
  );
  const used = await sql`select channel, used from alert_usage`;
  assert.deepEqual(
    used.map(({ channel, used }) => [channel, used]),
    [['email', 1]],
  );
});

test('every channel sends it', async () => {
  await added();
  const { threadOf } = await import('../../src/notices/notice.ts');
  const { pushMessageOf } = await import('../../src/notices/push.ts');
  const { slackMessageOf } = await import('../../src/notices/slack.ts');
  const { smsOf } = await import('../../src/notices/sms.ts');
  const { speechOf } = await import('../../src/notices/speech.ts');
  // The list above has it, and the types of the product do not.
  const notice = weeklyReport.sample() as never;
  assert.equal(threadOf(notice), 'report-2026-W48');
  assert.equal(smsOf(notice, { canReply: true }), 'Your week on call: 2026-W48');
  assert.match(speechOf(notice, { hasKeys: true }).text, /Your week on call\. 2026 dash W48\./);
  assert.equal(pushMessageOf(notice).content.title, '2026-W48');
  assert.match(slackMessageOf(notice).text, /Your week on call/);
});
