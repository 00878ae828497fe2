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
      '[ops] Automatic reply: x',
      'AUTO: Max is out of the office (returning 11/30/2026)',
      'AUTO: Max Muster ist außer Haus (Rückkehr am 30.11.2026)',
    ],
  ]) {
    assert.equal(of({ subject, headers: exchange }), 'it is an automatic reply', subject);
    assert.equal(of({ subject }), undefined, `${subject} without headers`);
  }
});

test('a report of a mail system is known by its sender, or by the header of Exchange', () => {
  const why = 'it is a report about another e-mail, such as its delivery';
  for (const subject of [
    ...['Undeliverable: page', 'Unzustellbar: page', 'Undelivered Mail Returned to Sender'],
    ...['[Postmaster] Email Delivery Failure', 'Mail System Error - Returned Mail'],
    ...['Delivery Notification: Delivery has failed', 'Delivery Status Notification (Failure)'],
    ...['Mail delivery failed: returning message to sender', 'DELIVERY FAILURE: User not listed'],
    ...['Returned mail: see transcript for details', 'Warning: message 1abc delayed 24 hours'],
    ...['Warning: could not send message for past 4 hours'],
  ]) {
    assert.equal(of({ subject, from: 'Postmaster@mx.test' }), why, subject);
    assert.equal(of({ subject }), undefined, `${subject} from somebody`);
  }
  assert.equal(of({ subject: 'Undeliverable: page', headers: exchange }), why);
  assert.equal(of({ subject: 'Disk full on mx-1', from: 'postmaster@mx.test' }), undefined);
  const calendar = { 'content-type': 'text/calendar; charset=utf-8; method=REPLY' };
  assert.ok(of({ subject: 'Accepted: weekly', headers: calendar }));
  const invitation = { 'content-type': 'text/calendar; method=REQUEST' };
  assert.equal(of({ subject: 'Maintenance', headers: invitation }), undefined);
});

test('a monitor may report about mail and offices', () => {
  for (const headers of [
    { 'auto-submitted': 'auto-generated' },
    { precedence: 'bulk' },
    { 'x-auto-response-suppress': 'All' },
    exchange,
  ])
    for (const subject of [
      ...['Out of office hours: door opened', 'Out of office hours access on web'],
      ...['Automatic reply service is down', 'Auto response time high on web'],
      ...['Auto-reply queue stuck', 'Autosvar fungerar inte', 'Abwesend: Sensor 3'],
      ...['Delivery delayed: 300 mails queued on mx-1', 'Delivery failure: webhook shop'],
      ...['Mail delivery failed on mx-1', 'Delivery status notification: lag'],
      ...['Returned mail: 500 on mx-1', 'Failure notice: db-1', 'Undelivered: 300 mails'],
      ...['Read: errors on db-1', 'Read (sda): errors on db-1', 'Not read: queue', 'Lu: bad'],
      ...['Declined: 40 % of card payments', 'Accepted: 0 orders', 'Recall: battery of UPS-3'],
      ...['Delivered: 0 mails', 'Relayed: spam from web-3', 'Tentative: BGP down'],
      ...['AUTO: job nightly failed (11/28/2026)'],
    ])
      assert.equal(of({ subject, headers }), undefined, `${subject} ${JSON.stringify(headers)}`);
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
