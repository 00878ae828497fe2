// Mails that come back of a page, in the forms that mail servers and programs are documented to use:
// absence notices (RFC 3834, RFC 5230 and Exchange, Gmail), and bounces (RFC 3464).

const lines = (...all: readonly string[]): string => `${all.join('\r\n')}\r\n`;

const headers = (to: string, subject: string, ...own: readonly string[]) => [
  `To: <${to}>`,
  `Subject: ${subject}`,
  'Date: Mon, 02 Mar 2026 09:00:05 +0000',
  'MIME-Version: 1.0',
  ...own,
];

/** By the program that sends them. The first line of each could be a command. */
export const absences: Readonly<Record<string, (to: string, from: string) => string>> = {
  'Sieve vacation': (to, from) =>
    lines(
      ...headers(to, 'Auto: [INC-1] Disk full', `From: <${from}>`),
      'Message-ID: <dovecot-sieve-1@mail.example.test>',
      'Auto-Submitted: auto-replied (vacation)',
      'Precedence: bulk',
      'X-Auto-Response-Suppress: All',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'resolve',
    ),
  Exchange: (to, from) =>
    lines(
      ...headers(to, 'Automatic reply: [INC-1] Disk full', `From: Ada <${from}>`),
      'Message-ID: <1@AM0PR01MB1234.eurprd01.prod.exchangelabs.test>',
      'X-Auto-Response-Suppress: All',
      'auto-submitted: auto-generated',
      'Content-Type: text/plain; charset="us-ascii"',
      '',
      'resolve',
    ),
  Gmail: (to, from) =>
    lines(
      ...headers(to, 'Out of office Re: [INC-1] Disk full', `From: Ada <${from}>`),
      'Message-ID: <CA+1@mail.gmail.test>',
      'Precedence: bulk',
      'X-Autoreply: yes',
      'Auto-Submitted: auto-replied',
      'Content-Type: text/plain; charset="UTF-8"',
      '',
      'resolve',
    ),
  'an old vacation program': (to, from) =>
    lines(
      ...headers(to, 'away from my mail', `From: Ada <${from}>`),
      'Precedence: junk',
      '',
      'resolve',
    ),
  'a mailing list': (to, from) =>
    lines(
      ...headers(to, 'Re: [ops] [INC-1] Disk full', `From: Ada <${from}>`),
      'List-Id: <ops.lists.example.test>',
      'Precedence: list',
      '',
      'resolve',
    ),
};

export type Bounce = { readonly status: string; readonly action?: string };

/** Of what was sent to an address, with the page that it contains. */
type Bouncing = (to: string, failed: string, bounce: Bounce) => string;

const page = (failed: string) => [
  'From: Pager <pager@example.test>',
  `To: <${failed}>`,
  'Subject: [INC-1] Disk full',
  'Auto-Submitted: auto-generated',
];

export const bounces: Readonly<Record<string, Bouncing>> = {
  Postfix: (to, failed, { status, action = 'failed' }) =>
    lines(
      'From: MAILER-DAEMON@mx.example.test (Mail Delivery System)',
      ...headers(to, 'Undelivered Mail Returned to Sender'),
      'Auto-Submitted: auto-replied',
      'Message-ID: <20260302090005.1@mx.example.test>',
      'Content-Type: multipart/report; report-type=delivery-status;',
      '\tboundary="4F1.1772442005/mx.example.test"',
      '',
      'This is a MIME-encapsulated message.',
      '',
      '--4F1.1772442005/mx.example.test',
      'Content-Description: Notification',
      'Content-Type: text/plain; charset=us-ascii',
      '',
      'This is the mail system at host mx.example.test.',
      '',
      `<${failed}>: host mail.example.test[192.0.2.1] said: 550 ${status} User unknown`,
      '',
      '--4F1.1772442005/mx.example.test',
      'Content-Description: Delivery report',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example.test',
      'X-Postfix-Queue-ID: 4F1',
      'Arrival-Date: Mon,  2 Mar 2026 09:00:01 +0000 (UTC)',
      '',
      `Final-Recipient: rfc822; ${failed}`,
      `Original-Recipient: rfc822;${failed}`,
      `Action: ${action}`,
      `Status: ${status}`,
      'Remote-MTA: dns; mail.example.test',
      `Diagnostic-Code: smtp; 550 ${status} <${failed}>: User`,
      '    unknown in virtual mailbox table',
      '',
      '--4F1.1772442005/mx.example.test',
      'Content-Description: Undelivered Message',
      'Content-Type: message/rfc822',
      '',
      ...page(failed),
      '',
      'Incident triggered',
      '',
      '--4F1.1772442005/mx.example.test--',
    ),
  Exchange: (to, failed, { status, action = 'failed' }) =>
    lines(
      'From: <postmaster@example.test>',
      ...headers(to, 'Undeliverable: [INC-1] Disk full'),
      'Message-ID: <2@AM0PR01MB1234.eurprd01.prod.exchangelabs.test>',
      'X-MS-Exchange-Message-Is-Ndr:',
      'Content-Language: en-US',
      'Content-Type: multipart/report; report-type=delivery-status;',
      '\tboundary="cb2f4a6e-0000-4000-8000-000000000001"',
      '',
      '--cb2f4a6e-0000-4000-8000-000000000001',
      'Content-Type: multipart/alternative; differences=Content-Type;',
      '\tboundary="cb2f4a6e-0000-4000-8000-000000000002"',
      '',
      '--cb2f4a6e-0000-4000-8000-000000000002',
      'Content-Type: text/plain; charset="us-ascii"',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Delivery has failed to these recipients or groups:',
      '',
      '--cb2f4a6e-0000-4000-8000-000000000002--',
      '--cb2f4a6e-0000-4000-8000-000000000001',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns;AM0PR01MB1234.eurprd01.prod.exchangelabs.test',
      'Received-From-MTA: dns;mail.example.test',
      'Arrival-Date: Mon, 2 Mar 2026 09:00:01 +0000',
      '',
      `Final-Recipient: rfc822;${failed}`,
      `Action: ${action}`,
      `Status: ${status}`,
      `Diagnostic-Code: smtp;550 ${status} RESOLVER.ADR.RecipientNotFound; Recipient not found`,
      '',
      '--cb2f4a6e-0000-4000-8000-000000000001',
      'Content-Type: message/rfc822',
      '',
      ...page(failed),
      '',
      'Incident triggered',
      '--cb2f4a6e-0000-4000-8000-000000000001--',
    ),
  Gmail: (to, failed, { status, action = 'failed' }) =>
    lines(
      'From: Mail Delivery Subsystem <mailer-daemon@googlemail.test>',
      ...headers(to, 'Delivery Status Notification (Failure)'),
      'Auto-Submitted: auto-replied',
      'Message-ID: <65e2.1@mx.google.test>',
      'Content-Type: multipart/report; boundary="000000000000a1"; report-type=delivery-status',
      `X-Failed-Recipients: ${failed}`,
      '',
      '--000000000000a1',
      'Content-Type: multipart/related; boundary="000000000000a2"',
      '',
      '--000000000000a2',
      'Content-Type: text/html; charset="UTF-8"',
      '',
      '<html><body><h2>Address not found</h2></body></html>',
      '--000000000000a2--',
      '--000000000000a1',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; googlemail.test',
      'Received-From-MTA: dns; pager@example.test',
      'Arrival-Date: Mon, 02 Mar 2026 01:00:01 -0800 (PST)',
      'X-Original-Message-ID: <inc-1@example.test>',
      '',
      `Final-Recipient: rfc822; ${failed}`,
      `Action: ${action}`,
      `Status: ${status}`,
      'Remote-MTA: dns; gmail-smtp-in.l.google.test. (192.0.2.7, the server for the domain.)',
      `Diagnostic-Code: smtp; 550-${status} The email account that you tried to reach does not exist.`,
      'Last-Attempt-Date: Mon, 02 Mar 2026 01:00:05 -0800 (PST)',
      '',
      '--000000000000a1',
      'Content-Type: message/rfc822',
      '',
      ...page(failed),
      '',
      '----- Message truncated -----',
      '--000000000000a1--',
    ),
};

/** As Postfix warns that it is still trying. */
export const delayed: Bouncing = (to, failed) =>
  bounces['Postfix']?.(to, failed, { status: '4.4.1', action: 'delayed' }) ?? '';
