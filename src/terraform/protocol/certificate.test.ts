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

test('every one of a thousand is read back from DER and PEM, and vouches for itself', () => {
  const sizes = new Set<number>();
  for (let count = 0; count < 1_000; count++) {
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

type Identity = ReturnType<typeof selfSigned>;
/** Valid as long as the test runs: TLS asks the machine's clock. */
const valid = () => selfSigned(Date.now());

/** A TLS server that greets whoever it lets in. */
async function greeter() {
  const server = createServer({ requestCert: true, rejectUnauthorized: true });
  server.on('secureConnection', (socket) => socket.end('hello'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The server listens on TCP, so its address is one of TCP.
  const { port } = server.address() as AddressInfo;
  return {
    become: ({ key, pem }: Identity, trusted: Identity) =>
      server.setSecureContext({ key, cert: pem, ca: trusted.pem }),

    async greets(client: Identity | null, trusted: Identity): Promise<string> {
      const socket = connect({
        host: '127.0.0.1',
        port,
        servername: 'localhost',
        ca: trusted.pem,
        ...(client && { key: client.key, cert: client.pem }),
      });
      socket.on('error', () => undefined);
      const greeting = await new Promise<string>((resolve) => {
        socket.once('data', (data) => resolve(String(data)));
        socket.once('close', () => resolve('refused'));
      });
      socket.destroy();
      return greeting;
    },

    [Symbol.asyncDispose]: () => new Promise<void>((closed) => void server.close(() => closed())),
  };
}

test('both ends of a TLS connection accept each other by it, and nobody else', async () => {
  await using server = await greeter();
  const [ours, theirs, strangers] = [valid(), valid(), valid()];
  server.become(ours, theirs);
  assert.equal(await server.greets(theirs, ours), 'hello');
  assert.equal(await server.greets(strangers, ours), 'refused');
  assert.equal(await server.greets(null, ours), 'refused');
  assert.equal(await server.greets(theirs, strangers), 'refused');
});

test('two hundred new certificates are accepted, pair by pair', async () => {
  await using server = await greeter();
  for (let count = 0; count < 100; count++) {
    const [ours, theirs] = [valid(), valid()];
    server.become(ours, theirs);
    assert.equal(await server.greets(theirs, ours), 'hello', `${ours.pem}${theirs.pem}`);
  }
});
