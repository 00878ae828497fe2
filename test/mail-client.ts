// Real clients for the tests of the mail door.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { Room } from '../src/admission/room.ts';
import { mailOfHeaders } from '../src/api/mail/headers.ts';
import {
  type MailListener,
  type MailListenerOptions,
  openMailListener,
  type ReceivedMail,
  tokenForm,
} from '../src/api/mail/listener.ts';
import { readMessage } from '../src/api/mail/message.ts';
import { silentLog } from '../src/engine/log.ts';

export const known = 'a'.repeat(40);
export const other = 'b'.repeat(40);
export const unknown = 'c'.repeat(40);
export const at = (token: string) => `${token}@alerts.test`;

type TestListener = {
  readonly port: number;
  readonly received: ReceivedMail[];
  readonly certificateExpiresAt: MailListener['certificateExpiresAt'];
  [Symbol.asyncDispose](): PromiseLike<void>;
};

export async function startListener(
  options: Partial<MailListenerOptions> = {},
): Promise<TestListener> {
  const received: ReceivedMail[] = [];
  const room = new Room({ slots: 100, bytes: 100 * 1024 * 1024 });
  const listener = await openMailListener({
    listen: { host: '127.0.0.1', port: 0 },
    domain: 'Alerts.test',
    forms: [tokenForm],
    log: silentLog,
    find: async (token) => (token === known || token === other ? 'known' : 'unknown'),
    enter: async (token, bytes) => room.enter(token, bytes) ?? 'busy',
    receive: async (mail) => {
      received.push(mail);
      return 'stored';
    },
    read: async (raw) => (await readMessage(raw)) ?? mailOfHeaders(raw, 'it is malformed'),
    ...options,
    limits: { closeMs: 50, ...options.limits },
  });
  const { port, certificateExpiresAt } = listener;
  return {
    port,
    received,
    certificateExpiresAt,
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  };
}

/** Sends by a real client; answers the code of the server's last word. */
export async function send(
  { port }: Pick<TestListener, 'port'>,
  mail: SendMailOptions,
): Promise<number> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  try {
    const sent = await transport.sendMail({ from: 'tool@monitor.test', ...mail });
    return Number(sent.response.slice(0, 3));
  } catch (error) {
    assert.ok(error instanceof Error && 'responseCode' in error, String(error));
    return Number(error.responseCode);
  } finally {
    transport.close();
  }
}

/** A client that says whatever it likes. */
export class Talk {
  readonly #socket: Socket;
  #heard = '';
  #wake: () => void = () => {};
  #isClosed = false;

  constructor({ port }: TestListener, localAddress = '127.0.0.1') {
    this.#socket = connect({ port, host: '127.0.0.1', localAddress });
    this.#socket.on('data', (chunk) => {
      this.#heard += chunk.toString('latin1');
      this.#wake();
    });
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  write(text: string | Uint8Array): void {
    this.#socket.write(text);
  }

  /** Waits for a last line with this code and answers what was heard since the last one. */
  async hear(code: number): Promise<string> {
    const pattern = new RegExp(`^${code} .*\r\n`, 'm');
    for (;;) {
      const match = pattern.exec(this.#heard);
      if (match) {
        const heard = this.#heard.slice(0, match.index + match[0].length);
        this.#heard = this.#heard.slice(heard.length);
        return heard;
      }
      assert.ok(!this.#isClosed, `closed before ${code}: ${this.#heard}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async closed(): Promise<void> {
    while (!this.#isClosed)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }

  hangUp(): void {
    this.#socket.destroy();
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

export async function upToData(talk: Talk): Promise<void> {
  await talk.hear(220);
  talk.write('EHLO client.test\r\n');
  await talk.hear(250);
  talk.write('MAIL FROM:<>\r\n');
  await talk.hear(250);
  talk.write(`RCPT TO:<${at(known)}>\r\n`);
  await talk.hear(250);
  talk.write('DATA\r\n');
  await talk.hear(354);
}
