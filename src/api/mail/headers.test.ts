import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailOfHeaders } from './headers.ts';

const read = (text: string) => mailOfHeaders(Buffer.from(text), 'a reason');

test('a mail is known by its headers, decoded and unfolded', () => {
  const mail = read(
    'Received: by b\r\nReceived: by a\r\nSubject: =?utf-8?Q?Disk_f=C3=BCll?=\r\n on db1\r\n' +
      'From: Tool <tool@monitor.test>\r\nX-Netdata-Host: web\r\n\r\nSubject: no\r\n',
  );
  assert.equal(mail.subject, 'Disk füll on db1');
  assert.equal(mail.from, 'tool@monitor.test');
  assert.deepEqual(mail.headers['received'], 'by a');
  assert.equal(mail.headers['x-netdata-host'], 'web');
  assert.match(mail.text, /^The text of this e-mail could not be read: a reason\./);
});

test('what has no headers is still a mail', () => {
  for (const text of ['', '\0\xff', 'no colon\r\n', ' folded\r\n', `${'a'.repeat(100_000)}: b`]) {
    const mail = read(text);
    assert.deepEqual([mail.subject, mail.from], ['', '']);
  }
});

test('no more headers are kept than mails have', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => `x-${index}: ${index}\r\n`).join('');
  assert.equal(Object.keys(read(`Subject: x\r\n${many}\r\n`).headers).length, 200);
  assert.equal(read(`Subject: ${'x'.repeat(50_000)}\r\n\r\n`).subject.length, 2_000);
});
