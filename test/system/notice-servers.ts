// Where notices arrive: a mail server and a chat's webhook, both real and both on loopback.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { eventually } from './eventually.ts';

export type ReceivedMail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The key of the notice and the id of its incident. */
  readonly notice: string;
  readonly incident: string;
  /** Of the envelope. */
  readonly sender: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
};

export type MailServer = AsyncDisposable & {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  arrival(what: string, wanted: (mail: ReceivedMail) => boolean): Promise<ReceivedMail>;
};

/** Takes every mail and keeps it; a given port lets one come back where it was. */
export async function startMailServer(port = 0, slowMs = 0): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 50,
    onData(stream, session, answer) {
      const keep = async () => {
        const chunks = await stream.toArray();
        const { rcptTo, mailFrom } = session.envelope;
        const sender = mailFrom === false ? '' : mailFrom.address;
        mails.push(await readMail(Buffer.concat(chunks), { to: rcptTo[0]?.address ?? '', sender }));
        if (slowMs > 0) await pause(slowMs);
      };
      keep().then(() => answer(), answer);
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    arrival: (what, wanted) => eventually(what, () => mails.find(wanted)),
    [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())),
  };
}

async function readMail(
  raw: Buffer,
  envelope: Pick<ReceivedMail, 'to' | 'sender'>,
): Promise<ReceivedMail> {
  const { subject = '', text = '', html = '', headers } = await PostalMime.parse(raw);
  const header = (name: string) => headers.find(({ key }) => key === name)?.value ?? '';
  return {
    ...envelope,
    headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])),
    subject,
    text,
    html,
    notice: header('x-pager-notice'),
    incident: header('x-pager-incident'),
  };
}

export type ChatServer = AsyncDisposable & {
  readonly url: string;
  readonly messages: readonly string[];
};

/** An incoming webhook; a silent one takes the message and never answers. */
export async function startChatServer(manner: 'answers' | 'silent'): Promise<ChatServer> {
  const messages: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    messages.push(Buffer.concat(chunks).toString());
    if (manner === 'silent') return;
    // As Discord answers whoever waits, and Slack everybody.
    response.end(request.url?.endsWith('?wait=true') ? '{"id":"1"}' : 'ok');
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/services/chat-webhook-secret`,
    messages,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}
