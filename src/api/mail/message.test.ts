import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailOfHeaders } from './headers.ts';
import { readMessage } from './message.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf8 = (text: string) => Buffer.from(text);

async function read(raw: Uint8Array) {
  const mail = await readMessage(raw);
  assert.ok(mail);
  return { subject: mail.subject, text: mail.text.trim() };
}

test('what is valid UTF-8 is read as that where ASCII or nothing known is declared', async () => {
  for (const charset of ['us-ascii', 'ANSI_X3.4-1968', 'x-unknown', 'unknown-8bit', 'nonsense'])
    for (const quote of ['', '"']) {
      const type = `Content-Type: text/plain;\r\n charset=${quote}${charset}${quote}`;
      const mail = await read(
        utf8(`Subject: =?${charset}?Q?Gr=C3=B6=C3=9Fe?=\r\n${type}\r\n\r\nGröße\r\n`),
      );
      assert.deepEqual(mail, { subject: 'Größe', text: 'Größe' }, charset);
    }
});

test('what is not valid UTF-8 is read as it was declared', async () => {
  const [size, type] = ['Gr\xf6\xdfe', 'Content-Type: text/plain; charset='];
  for (const charset of ['us-ascii', 'iso-8859-1', 'nonsense'])
    assert.equal(
      (await read(latin1(`Subject: x\r\n${type}${charset}\r\n\r\n${size}`))).text,
      'Größe',
    );
  for (const headers of ['Subject: x', 'Subject: x\r\nContent-Type: text/plain'])
    assert.equal((await read(latin1(`${headers}\r\n\r\n${size}`))).text, 'Größe');
});

test('subjects that are not encoded are in the charset of the text', async () => {
  const gbk = (subject: number[]) =>
    Buffer.concat([
      latin1('Subject: '),
      Buffer.from(subject),
      latin1('\r\nContent-Type: text/plain; charset=gbk\r\n\r\nx'),
    ]);
  const subjects = [
    [0xb9, 0xca, 0xd5, 0xcf],
    [0xb1, 0xa8, 0xbe, 0xaf],
  ].map(gbk);
  const read1 = await Promise.all(subjects.map(async (raw) => (await read(raw)).subject));
  assert.deepEqual(read1, ['故障', '报警']);
  assert.deepEqual(
    subjects.map((raw) => mailOfHeaders(raw, '').subject),
    ['故障', '报警'],
  );
  for (const mail of [
    'Subject: Gr\xf6\xdfe\r\n\r\nx',
    'Subject: Gr\xf6\xdfe\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nx',
  ])
    assert.equal((await read(latin1(mail))).subject, 'Größe');
  assert.equal((await read(utf8('Subject: Größe\r\n\r\nx'))).subject, 'Größe');
});

const part = (headers: string) =>
  latin1(
    `Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${headers}\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n--b--\r\n`,
  );

test('of a text that cannot be read the mail says why', async () => {
  const cases: readonly (readonly [Uint8Array, RegExp])[] = [
    [
      latin1('Subject: x\r\nContent-Type: application/pkcs7-mime; name=smime.p7m\r\n\r\nAAAA\r\n'),
      /is encrypted/,
    ],
    [
      latin1(
        'Subject: x\r\nContent-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b\r\n\r\n--b\r\nContent-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n--b\r\nContent-Type: application/octet-stream\r\n\r\nx\r\n--b--\r\n',
      ),
      /is encrypted/,
    ],
    [part('Content-Type: application/ms-tnef; name="winmail.dat"'), /winmail\.dat/],
    [
      part(
        'Content-Type: application/pdf; name="report.pdf"\r\nContent-Disposition: attachment; filename="report.pdf"',
      ),
      /no text\. .*report\.pdf/,
    ],
  ];
  for (const [raw, expected] of cases) assert.match((await read(raw)).text, expected);
  assert.equal((await read(latin1('Subject: x\r\n\r\n'))).text, '');
});
