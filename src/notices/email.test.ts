import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailOf } from './email.ts';
import { sampleNotice } from './kinds/incident.ts';

const sender = { from: 'Pager <pager@example.com>', domain: 'example.com' };

test('a page reads as a plain text that says what, where, what to do and why', () => {
  assert.equal(
    emailOf(sampleNotice(), sender).text,
    `Incident triggered
INC-42 Disk full on <db-1>

Service: Payments
Status: triggered
Priority: P1
Severity: SEV1
Opened: 2026-11-21 05:49:53 UTC

Acknowledge: https://pager.example.com/a/k1?do=acknowledge
Resolve: https://pager.example.com/a/k1?do=resolve
Open incident: https://pager.example.com/incidents/42

/var is at 98 %
mount: "/dev/sda1" & co

Graph: https://grafana.example.com/d/1?x=1&y=2

-- 
Sent by Pager for Acme & Sons. You get this because: step 1 of policy Payments.
`,
  );
});

test('what is wrong comes first, then the links, then what else its tool sent', () => {
  const rows = [
    { name: 'description', value: 'Errors at <7 %>' },
    { name: 'severity', value: 'critical' },
  ];
  const details = 'description: Errors at <7 %>\nseverity: critical';
  const { text, html } = emailOf(sampleNotice({}, { details, rows, isDescribed: true }), sender);
  const parts = [/Errors at (?:<|&lt;)7 %/, /Graph/, /severity/, /critical/];
  for (const mail of [text, html]) {
    const places = parts.map((part) => mail.search(part));
    assert.ok(places.every((place) => place > 0));
    assert.deepEqual(
      places.toSorted((a, b) => a - b),
      places,
    );
  }
});

test('all mails of an incident name one thread and none has its id', () => {
  const page = emailOf(sampleNotice(), sender);
  const clear = emailOf(sampleNotice({ kind: 'all_clear', key: 'k2' }), sender);
  const thread = '<inc-65f000000000000000000042@example.com>';
  for (const mail of [page, clear]) {
    assert.equal(mail.headers['References'], thread);
    assert.equal(mail.headers['In-Reply-To'], thread);
    assert.match(mail.messageId, /^<inc-65f000000000000000000042\.[0-9a-f]{16}@example\.com>$/);
  }
  assert.notEqual(page.messageId, clear.messageId);
});

test('every attempt at a notice has the same Message-ID', () => {
  const [first, second] = [emailOf(sampleNotice(), sender), emailOf(sampleNotice(), sender)];
  assert.equal(first.messageId, second.messageId);
});

test('the mail is marked as ours and as sent by a machine', () => {
  const { headers } = emailOf(sampleNotice(), sender);
  assert.equal(headers['Auto-Submitted'], 'auto-generated');
  assert.equal(headers['X-Auto-Response-Suppress'], 'All');
  assert.equal(headers['X-Pager-Incident'], '65f000000000000000000042');
  assert.equal(headers['X-Pager-Notice'], '65f000000000000000000042/1/1/ada/email');
});

test('the subject stays the same over the life of an incident but for the all-clear', () => {
  const subjectOf = (kind: 'page' | 'assigned' | 'all_clear') =>
    emailOf(sampleNotice({ kind }), sender).subject;
  assert.equal(subjectOf('page'), '[INC-42] Disk full on <db-1>');
  assert.equal(subjectOf('assigned'), subjectOf('page'));
  assert.equal(subjectOf('all_clear'), 'Resolved: [INC-42] Disk full on <db-1>');
});

test('no title or sender can add a header', () => {
  const mail = emailOf(sampleNotice({}, { title: 'a\r\nBcc: eve@example.com\u2028b\u0085c' }), {
    ...sender,
    from: 'Pager <pager@example.com>\r\nBcc: eve@example.com',
  });
  assert.equal(mail.subject, '[INC-42] a Bcc: eve@example.com b c');
  assert.doesNotMatch(mail.from, /[\r\n]/);
});

test('the html shows markup from outside as text', () => {
  const details = '<script>alert(1)</script> "quoted" \'single\'';
  const links = [{ href: 'javascript:alert(1)' }, { href: 'https://x.example/"><b>' }];
  const { html } = emailOf(sampleNotice({}, { details, links }), sender);
  assert.doesNotMatch(html, /<script|javascript:|"><b>/);
  assert.match(
    html,
    /&lt;script&gt;alert\(1\)&lt;\/script&gt; &quot;quoted&quot; &#39;single&#39;/,
  );
});

test('a resolved incident offers nothing but to be opened', () => {
  const notice = sampleNotice({ kind: 'all_clear' }, { status: 'resolved', resolved_by: 'Ada' });
  const { text } = emailOf(notice, sender);
  assert.match(text, /^Resolved by Ada\n/);
  assert.doesNotMatch(text, /Acknowledge:|Resolve:/);
  assert.match(text, /Open incident: /);
});

test('a page of a later step says so, in the zone of its reader, with what happens next', () => {
  const notice = sampleNotice(
    { timezone: 'Europe/Berlin', unansweredSteps: 1 },
    {
      next: 'Step 3 runs at 2026-11-21 07:00:00 Europe/Berlin unless someone acknowledges.',
      details: 'host: <db-1>',
      rows: [{ name: 'host', value: '<db-1>\nbehind' }],
    },
  );
  const { text, html } = emailOf(notice, sender);
  assert.match(text, /^Nobody answered step 1\n/);
  assert.match(text, /^Opened: 2026-11-21 06:49:53 Europe\/Berlin$/m);
  assert.match(text, /^Next: Step 3 runs at 2026-11-21 07:00:00 Europe\/Berlin unless/m);
  assert.match(html, /<td[^>]*>host<\/td><td[^>]*>&lt;db-1&gt;<br>behind<\/td>/);
  assert.equal(html.match(/on-ink"/g)?.length, 1, 'one main button');
});
