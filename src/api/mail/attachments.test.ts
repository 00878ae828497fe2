import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { WithoutAttachments } from './attachments.ts';

const MIB = 1024 * 1024;

/** In pieces of so many bytes. */
async function filtered(mail: string, piece = 1_000, bytesMax = MIB) {
  const raw = Buffer.from(mail, 'latin1');
  const pieces = Array.from({ length: Math.ceil(raw.length / piece) }, (_, at) =>
    raw.subarray(at * piece, (at + 1) * piece),
  );
  const filter = new WithoutAttachments(bytesMax);
  const parts = await Readable.from(pieces).pipe(filter).toArray();
  return { text: Buffer.concat(parts).toString('latin1'), isCut: filter.isCut };
}

const part = (headers: string, body: string) => `--b\r\n${headers}\r\n\r\n${body}\r\n`;
const multipart = (...parts: readonly string[]) =>
  `Subject: x\r\nContent-Type: multipart/mixed;\r\n boundary="b"\r\n\r\npreamble\r\n${parts.join('')}--b--\r\n`;
const PDF = 'Content-Type: application/pdf; name="a.pdf"\r\nContent-Transfer-Encoding: base64';

test('of attachments only the headers are kept, and the rest as it came', async () => {
  const text = part('Content-Type: text/plain', 'Disk full\r\n--c\r\n-- \r\nops');
  const last = part('Content-Type: text/html', '<p>Disk full</p>');
  const base64 = `${'QUJD'.repeat(19)}\r\n`.repeat(50);
  const mail = (body: string) => multipart(text, part(PDF, body), last);
  for (const piece of [1, 7, 64, 100_000])
    assert.equal(
      (await filtered(mail(base64), piece)).text,
      mail('').replace(`${PDF}\r\n\r\n\r\n`, `${PDF}\r\n\r\n`),
    );
});

test('what is text is kept, whatever it is in', async () => {
  const inner = `Content-Type: multipart/alternative; boundary=c\r\n\r\n--c\r\nContent-Type: text/plain\r\n\r\none\r\n--c\r\nContent-Type: text/html\r\n\r\ntwo\r\n--c--`;
  const forwarded = part(
    'Content-Type: message/rfc822',
    'Subject: y\r\nContent-Type: text/plain\r\n\r\nthree',
  );
  const mails = [
    ...['', 'Subject: x', 'Subject: x\r\n\r\ntext', 'Subject: x\n\ntext\n', '\0\xff'],
    `Subject: x\r\nContent-Type: text/plain\r\n\r\n--b\r\n${'long '.repeat(20_000)}\r\nend`,
    multipart(`--b\r\n${inner}\r\n`, forwarded, part('', 'four')),
    'Subject: x\r\nContent-Type: multipart/mixed\r\n\r\n--b\r\n\r\ntext\r\n',
    multipart(part('Content-Type: message/delivery-status', 'Action: failed')),
  ];
  for (const mail of mails) assert.deepEqual(await filtered(mail), { text: mail, isCut: false });
});

test('an attachment is one by its disposition, its type, or the type of the mail', async () => {
  const secret = 'c2VjcmV0';
  const mails = [
    multipart(part('Content-Type: text/plain\r\nContent-Disposition: attachment', secret)),
    multipart(part('content-type: IMAGE/png\r\ncontent-disposition: inline', secret)),
    multipart(part('Content-Type:\r\n application/ms-tnef', secret)),
    `Subject: x\r\nContent-Type: application/pkcs7-mime\r\n\r\n${secret}\r\n`,
    multipart(
      part('Content-Type: message/rfc822', `Content-Type: application/zip\r\n\r\n${secret}`),
    ),
  ];
  for (const mail of mails) {
    const { text, isCut } = await filtered(mail);
    assert.ok(!text.includes(secret), mail);
    assert.ok(mail.includes(text.slice(0, 40)) && !isCut);
  }
});

test('of texts that are too long, the first are kept', async () => {
  const mail = `Subject: x\r\n\r\n${'0123456789\r\n'.repeat(1_000)}`;
  const { text, isCut } = await filtered(mail, 64, 2_000);
  assert.ok(isCut && text.length <= 2_000 && text.length > 1_900);
  assert.ok(mail.startsWith(text));
  const attached = multipart(part(PDF, 'QUJD\r\n'.repeat(1_000)));
  assert.equal((await filtered(attached, 64, 2_000)).isCut, false);
});
