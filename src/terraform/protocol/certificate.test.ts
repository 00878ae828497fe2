import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { connect, createServer } from 'node:tls';
import { selfSigned } from './certificate.ts';

const now = Date.parse('2026-11-21T08:00:00Z');

test('it says what Terraform asks of it', () => {
  const { der, key } = selfSigned(now);
  const read = new X509Certificate(der);
  assert.equal(read.subject, 'CN=localhost');
  assert.equal(read.issuer, 'CN=localhost');
  assert.equal(read.subjectAltName, 'DNS:localhost');
  assert.equal(read.ca, true);
  assert.deepEqual(read.keyUsage, ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
  assert.equal(read.checkHost('localhost'), 'localhost');
  assert.ok(read.checkPrivateKey(createPrivateKey(key)));
  assert.deepEqual(
    [read.validFromDate, read.validToDate].map((date) => date.toISOString()),
    ['2026-11-21T07:00:00.000Z', '2027-11-21T08:00:00.000Z'],
  );
});

test('years from 2050 on are told in their own form', () => {
  const read = new X509Certificate(selfSigned(Date.parse('2049-06-01T00:00:00Z')).der);
  assert.equal(read.validToDate.toISOString(), '2050-06-01T00:00:00.000Z');
});

test('every one of thousands is read back from DER and PEM, and vouches for itself', () => {
  const sizes = new Set<number>();
  for (let count = 0; count < 6_000; count++) {
    const { der, pem } = selfSigned(now);
    const read = new X509Certificate(pem);
    assert.ok(read.verify(read.publicKey));
    assert.deepEqual(read.raw, der);
    assert.doesNotMatch(pem, /\n\n/);
    sizes.add(der.length);
  }
  // The lengths vary with the signature; whole lines of PEM are among them only by luck.
  assert.ok(sizes.size > 2);
});

test('both ends of a TLS connection accept each other by it, and nobody else', async () => {
  const ours = selfSigned(now);
  const theirs = selfSigned(now);
  const strangers = selfSigned(now);
  const server = createServer({
    ...{ key: ours.key, cert: ours.pem, ca: theirs.pem },
    ...{ requestCert: true, rejectUnauthorized: true },
  });
  server.on('secureConnection', (socket) => socket.end('hello'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The server listens on TCP, so its address is one of TCP.
  const { port } = server.address() as AddressInfo;
  const says = async ({ key, pem }: { key?: string; pem?: string }, ca: string) => {
    const socket = connect({
      ...{ host: '127.0.0.1', port, servername: 'localhost', ca },
      ...(key !== undefined && pem !== undefined && { key, cert: pem }),
    });
    socket.on('error', () => undefined);
    const said = await new Promise((resolve) => {
      socket.once('data', (data) => resolve(String(data)));
      socket.once('close', () => resolve('refused'));
    });
    socket.destroy();
    return said;
  };
  assert.equal(await says(theirs, ours.pem), 'hello');
  assert.equal(await says(strangers, ours.pem), 'refused');
  assert.equal(await says({}, ours.pem), 'refused');
  assert.equal(await says(theirs, strangers.pem), 'refused');
  server.close();
});
