import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mail } from './alert.ts';
import { machineMail } from './machine-mail.ts';

const of = (mail: Partial<Mail>) =>
  machineMail({ subject: 'Disk full', from: 'a@b.test', text: '', headers: {}, ...mail });

const exchange = {
  'auto-submitted': 'auto-generated',
  'x-auto-response-suppress': 'All',
  'x-ms-exchange-generated-message-source': 'Mailbox Rules Agent',
};

test('mails that machines write about other mails are known', () => {
  const mails: readonly Partial<Mail>[] = [
    { headers: { 'x-pager-notice': 'page' } },
    { headers: { 'auto-submitted': 'auto-replied' } },
    { headers: { 'auto-submitted': 'Auto-Replied (vacation)' } },
    { headers: { 'content-type': 'multipart/report; report-type=delivery-status' } },
    {
      subject: 'Read: page',
      headers: { 'content-type': 'multipart/report; report-type=disposition-notification' },
    },
    { subject: 'Your message awaits approval', headers: { 'x-list-administrivia': 'yes' } },
    { headers: { precedence: 'auto_reply' } },
    { headers: { 'x-autoreply': 'yes' } },
    { subject: 'failure notice', from: 'MAILER-DAEMON@mx.test' },
    {
      subject: 'Undelivered Mail Returned to Sender',
      from: 'MAILER-DAEMON@mx.test',
      headers: { 'content-type': 'multipart/report' },
    },
  ];
  for (const mail of mails) assert.ok(of(mail), JSON.stringify(mail));
});

test('an answer is known by its subject together with its headers, in many languages', () => {
  for (const subject of [
    ...['Automatic reply: page', 'Automatische Antwort: Störung', 'Réponse automatique : page'],
    ...['Respuesta automática: x', 'Risposta automatica: x', 'Resposta automática: x'],
    ...[
      'Automatisch antwoord: x',
      'Autosvar: x',
      'Automaattinen vastaus: x',
      'Automatikus válasz: x',
    ],
    ...['Odpowiedź automatyczna: x', 'Automatická odpověď: x', 'Автоответ: x', 'Otomatik Yanıt: x'],
    ...['自動返信: x', '自动答复: x', '자동 회신: x', 'Out of Office: x', 'Abwesenheitsnotiz: x'],
    ...[
      '[EXTERNAL] Automatic reply: page',
      'Re: Out of office',
      'Undeliverable: page',
      '[ops] Automatic reply: x',
    ],
  ]) {
    assert.equal(of({ subject, headers: exchange }), 'it is an automatic reply', subject);
    assert.equal(of({ subject }), undefined, `${subject} without headers`);
  }
});

test('the mail of a monitor opens, however it was marked or forwarded', () => {
  for (const headers of [
    { 'auto-submitted': 'auto-generated' },
    { 'auto-submitted': 'auto-notified' },
    exchange,
    { 'x-auto-response-suppress': 'All' },
    { precedence: 'bulk' },
    { 'content-type': 'multipart/mixed; boundary=report' },
  ])
    for (const subject of [
      'Disk full on db-1',
      'Readonly file system',
      'FW: Disk full',
      'Read errors: sda',
    ])
      assert.equal(of({ subject, headers }), undefined, `${subject} ${JSON.stringify(headers)}`);
  assert.equal(of({ subject: 'Read: errors on sda' }), undefined);
});
