import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailLimits } from '../limits/mail.ts';
import { isAutomatic, writtenAbove } from './mail-text.ts';

const ours = 'https://pager.example.com/act/';

const replies: readonly (readonly [program: string, text: string])[] = [
  ['nothing is quoted', 'ack\n'],
  [
    'Apple Mail',
    'ack\n\n> On 2. Mar 2026, at 10:00, Pager <pager@example.com> wrote:\n> \n> Incident',
  ],
  [
    'Gmail',
    'ack\r\n\r\nOn Mon, Mar 2, 2026 at 10:00 AM Pager <pager@example.com> wrote:\r\n\r\n> Incident',
  ],
  [
    'Gmail, wrapped',
    'ack\n\nOn Mon, Mar 2, 2026 at 10:00 AM A Rather Long Name <pager@example.com>\nwrote:\n\n> Incident',
  ],
  [
    'Gmail in German',
    'ack\n\nAm Mo., 2. März 2026 um 10:00 Uhr schrieb Pager <\npager@example.com>:\n\n> Incident',
  ],
  [
    'Gmail in French',
    'ack\n\nLe lun. 2 mars 2026 à 10:00, Pager <pager@example.com> a écrit :\n\n> Incident',
  ],
  [
    'Gmail in Spanish',
    'ack\n\nEl lun, 2 mar 2026 a las 10:00, Pager (<pager@example.com>) escribió:\n\n> Incident',
  ],
  ['any language', 'ack\n\n2026/03/02 10:00、Pager のメール:\n\n> Incident'],
  [
    'Outlook',
    'ack\n\n________________________________\nFrom: Pager <pager@example.com>\nSent: Monday\n',
  ],
  [
    'Outlook without a line',
    'ack\n\nFrom: Pager <pager@example.com>\nSent: Monday, March 2, 2026\nTo: Ada\n',
  ],
  [
    'Outlook in German',
    'ack\n\nVon: Pager <pager@example.com>\nGesendet: Montag, 2. März 2026\nAn: Ada\n',
  ],
  ['an old Outlook', 'ack\n\n-----Original Message-----\nFrom: Pager\n'],
  ['a program that marks no quote', `ack\nAcknowledge: ${ours}abc\n`],
  ['a signature', 'ack\n-- \nAda\n'],
  ['a telephone', 'ack\n\nSent from my iPhone\n'],
];

test('what a person wrote ends where the quote or the signature begins', () => {
  for (const [program, text] of replies) assert.equal(writtenAbove(text, ours), 'ack', program);
});

test('a reply below the quote has nothing above it', () => {
  for (const text of [
    '> Incident\n\nack',
    'On Mon, Mar 2, 2026, Pager wrote:\n> Incident\n\nack',
    '',
  ])
    assert.equal(writtenAbove(text, ours), '');
});

test('sentences that only look like the start of a quote are kept', () => {
  for (const text of [
    'On it',
    'From: the runbook, step 4',
    'On db1 this is what Lin wrote: restart',
  ])
    assert.equal(writtenAbove(text, ours), text);
});

test('a note ends at its limit, between two characters', () => {
  const note = writtenAbove('ü'.repeat(mailLimits.note), ours);
  assert.equal(note, 'ü'.repeat(mailLimits.note / 2));
  const long = writtenAbove(`${'€'.repeat(mailLimits.note)}`, ours);
  assert.ok(!long.includes('\ufffd') && Buffer.byteLength(long) <= mailLimits.note);
});

test('a mail of a program is recognized by its sender or its headers', () => {
  const sender = 'ada@example.com';
  const programs = {
    'auto-submitted': [
      'auto-replied',
      'auto-generated',
      'auto-replied (vacation)',
      'Auto-Notified',
    ],
    precedence: ['bulk', 'list', 'junk', 'auto_reply'],
    'content-type': ['multipart/report; report-type=disposition-notification'],
    'x-pager-notice': ['x'],
    'list-id': ['<ops.example.com>'],
  };
  for (const [name, values] of Object.entries(programs))
    for (const value of values)
      assert.ok(isAutomatic({ sender, headers: { [name]: value } }), `${name}: ${value}`);
  assert.ok(isAutomatic({ sender: '', headers: {} }));
  const written = { 'auto-submitted': 'no', precedence: 'normal', 'content-type': 'text/plain' };
  assert.equal(isAutomatic({ sender, headers: written }), false);
});
