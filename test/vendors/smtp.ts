// A mail server on loopback, as providers run it: it offers STARTTLS, has people sign in, and takes
// mails only from senders that it knows.
import assert from 'node:assert/strict';
import { createServer, type Server, type Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { selfSigned } from '../../src/terraform/protocol/certificate.ts';

type Taken = {
  readonly to: string;
  /** Of the envelope. */
  readonly sender: string;
  /** Who signed in; null: nobody. */
  readonly user: string | null;
  readonly isEncrypted: boolean;
  readonly mail: Email;
};

export type FakeSmtp = AsyncDisposable & {
  readonly port: number;
  readonly taken: readonly Taken[];
  /** How often somebody connected. */
  connections: number;
  user: string;
  password: string;
  /** What it answers to the sender, the recipient or the mail in place of taking it. */
  refusal: { readonly at: 'MAIL FROM' | 'RCPT TO' | 'DATA'; readonly text: string } | null;
};

const refusing = (text: string) =>
  Object.assign(new Error(text.slice(4)), { responseCode: Number(text.slice(0, 3)) });

/** One of all: certificates of the same name that differ could not be trusted at once. */
const { key, pem } = selfSigned(Date.now());
export const smtpCertificate = pem;

export async function startFakeSmtp(options: SMTPServerOptions = {}): Promise<FakeSmtp> {
  const taken: Taken[] = [];
  const at = (command: string) =>
    fake.refusal?.at === command ? refusing(fake.refusal.text) : null;
  const server = new SMTPServer({
    key,
    cert: pem,
    disableReverseLookup: true,
    closeTimeout: 50,
    onConnect(_session, done) {
      fake.connections += 1;
      done();
    },
    onAuth({ username, password }, _session, done) {
      if (username === fake.user && password === fake.password) done(null, { user: username });
      else done(refusing('535 5.7.8 authentication failed'));
    },
    onMailFrom: (_sender, _session, done) => done(at('MAIL FROM')),
    onRcptTo: (_recipient, _session, done) => done(at('RCPT TO')),
    onData(stream, { envelope, user, secure }, done) {
      const keep = async () => {
        const mail = await PostalMime.parse(Buffer.concat(await stream.toArray()));
        const refusal = at('DATA');
        if (refusal !== null) throw refusal;
        const sender = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo[0]?.address ?? '';
        taken.push({ to, sender, user: user ? String(user) : null, isEncrypted: secure, mail });
      };
      keep().then(() => done(), done);
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((done) => server.listen(0, 'localhost', done));
  const address = server.server.address();
  assert.ok(address && typeof address === 'object');
  const fake: FakeSmtp = {
    port: address.port,
    taken,
    connections: 0,
    user: 'pager',
    password: 'correct horse',
    refusal: null,
    [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())),
  };
  return fake;
}

export type SilentServer = AsyncDisposable & { readonly port: number };

/** Takes connections, says what it is given, and then nothing. */
export async function startSilentServer(greeting = ''): Promise<SilentServer> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).resume();
    if (greeting !== '') socket.write(greeting);
  });
  await new Promise<void>((done) => server.listen(0, 'localhost', done));
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}
