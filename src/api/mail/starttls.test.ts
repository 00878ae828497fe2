import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { createTransport } from 'nodemailer';
import { at, known, send, startListener, Talk } from '../../../test/mail-client.ts';
import { eventually } from '../../../test/system/eventually.ts';
import { selfSigned } from '../../terraform/protocol/certificate.ts';

type Signed = ReturnType<typeof selfSigned>;

async function createFiles() {
  const folder = await mkdtemp(join(tmpdir(), 'pager-mail-tls-'));
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  return {
    files,
    async write({ pem, key }: Signed): Promise<void> {
      await writeFile(files.cert, pem);
      await writeFile(files.key, key);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

type Listener = Awaited<ReturnType<typeof startListener>>;

/** A client that insists on TLS, and on that certificate. */
const clientOf = ({ port }: Listener, { pem }: Signed) =>
  createTransport({
    host: '127.0.0.1',
    port,
    requireTLS: true,
    tls: { ca: pem, servername: 'localhost' },
  });

const shows = async (listener: Listener, signed: Signed): Promise<boolean> => {
  const client = clientOf(listener, signed);
  try {
    return await client.verify().catch(() => false);
  } finally {
    client.close();
  }
};

test('a mail comes by STARTTLS, to a client that insists on it and on the certificate', async () => {
  await using certificates = await createFiles();
  const signed = selfSigned(Date.now());
  await certificates.write(signed);
  await using listener = await startListener({ certificate: certificates.files });
  const client = clientOf(listener, signed);
  const mail = { from: 'tool@monitor.test', to: at(known), subject: 'Disk full', text: 'on db1' };
  const sent = await client.sendMail(mail);
  client.close();
  assert.match(sent.response, /^250/);
  assert.equal(listener.received[0]?.mail?.subject, 'Disk full');
  assert.equal(await send(listener, { to: at(known), subject: 'in the clear', text: 'x' }), 250);
});

test('a renewed certificate is shown without a restart, half a one is not', async () => {
  await using certificates = await createFiles();
  const [old, renewed] = [selfSigned(Date.now()), selfSigned(Date.now())];
  await certificates.write(old);
  await using listener = await startListener({ certificate: certificates.files });
  assert.deepEqual([await shows(listener, old), await shows(listener, renewed)], [true, false]);
  await writeFile(certificates.files.cert, renewed.pem);
  assert.equal(await shows(listener, old), true);
  await certificates.write(renewed);
  await eventually('the renewed one', () => shows(listener, renewed));
});

test('it is known when the certificate that is shown expires, the first of its chain', async () => {
  await using certificates = await createFiles();
  const day = 24 * 60 * 60 * 1_000;
  const [old, renewed] = [selfSigned(Date.now()), selfSigned(Date.now() + day)];
  await certificates.write(old);
  await using listener = await startListener({ certificate: certificates.files });
  const expiryOf = ({ pem }: Signed) => new X509Certificate(pem).validToDate.toISOString();
  const expires = async () => (await listener.certificateExpiresAt())?.toString().slice(0, 19);
  assert.equal(await expires(), expiryOf(old).slice(0, 19));
  await certificates.write({ ...renewed, pem: `${renewed.pem}\n${old.pem}` });
  assert.equal(await expires(), expiryOf(old).slice(0, 19));
  await certificates.write(renewed);
  await eventually('the renewed one', async () => (await expires()) !== expiryOf(old).slice(0, 19));
  assert.equal(await expires(), expiryOf(renewed).slice(0, 19));
});

test('without a certificate nothing of TLS is offered', async () => {
  await using listener = await startListener();
  assert.equal(await listener.certificateExpiresAt(), null);
  using talk = new Talk(listener);
  await talk.hear(220);
  talk.write('EHLO client.test\r\n');
  assert.doesNotMatch(await talk.hear(250), /STARTTLS/);
});

test('a session by TLS ends in time as any other', async () => {
  await using certificates = await createFiles();
  await certificates.write(selfSigned(Date.now()));
  await using listener = await startListener({
    certificate: certificates.files,
    limits: { sessionMs: 500 },
  });
  const socket = connect(listener.port, '127.0.0.1');
  const heard = async (words: string) => {
    for (let message = ''; !message.includes(words); )
      message += String(await once(socket, 'data'));
  };
  await heard('220 ');
  socket.write('EHLO client.test\r\n');
  await heard('STARTTLS');
  socket.write('STARTTLS\r\n');
  await heard('220 ');
  const secured = connectTls({ socket, rejectUnauthorized: false }).on('error', () => {});
  await once(secured, 'close');
});
