import { getSystemErrorName } from 'node:util';
import { createTransport } from 'nodemailer';
import type { Clock } from '../engine/clock.ts';
import type { Log } from '../engine/log.ts';
import type { Channel, Delivery } from '../engine/sending/channel.ts';
import { sendingLimits } from '../limits/sending.ts';
import { emailOf } from '../notices/email.ts';
import type { Notice } from '../notices/notice.ts';
import { lineOf } from '../notices/words/wording.ts';
import { createMailFolder } from './mail-folder.ts';
import type { MailTransport } from './mail-transport.ts';

export type EmailOptions = {
  /** Where mail goes, as `smtps://user:password@host`; without it each becomes a file. */
  readonly smtpUrl?: string;
  readonly from: string;
  readonly mailDir: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly connectTimeoutMs?: number;
  readonly totalTimeoutMs?: number;
};

export type Email = Channel &
  AsyncDisposable & {
    /** Why no mail could be sent now; null: it could. */
    trouble(): Promise<string | null>;
  };

/** Mail over the operator's own SMTP server, which may be on a private network. */
export function createEmail(options: EmailOptions): Email {
  const { smtpUrl, from } = options;
  const domain = domainOf(from);
  const post = smtpUrl === undefined ? createMailFolder(options) : createSmtp(smtpUrl, options);
  let waiting = 0;

  async function send(notice: Notice, address: string): Promise<Delivery> {
    // A list or a header in the place of an address would reach people nobody meant.
    if (!/^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\]+$/.test(address))
      return { outcome: 'failed', blame: 'contact', reason: 'not an e-mail address' };
    if (waiting >= sendingLimits.mailsWaiting)
      return {
        outcome: 'no_answer',
        reason: `${sendingLimits.mailsWaiting} mails are already waiting to leave`,
      };
    waiting += 1;
    try {
      const to = { name: lineOf(notice.recipient ?? ''), address };
      const mail = { ...emailOf(notice, { from, domain }), to };
      const answer = await post.send(mail, notice);
      return smtpUrl === undefined ? { ...writtenOnly, answer } : { outcome: 'delivered', answer };
    } catch (error) {
      const delivery = failureOf(error);
      if (delivery.outcome !== 'failed') {
        options.log.warn(
          { notice: notice.key, reason: delivery.reason },
          'a mail could not be handed over',
        );
      }
      return delivery;
    } finally {
      waiting -= 1;
    }
  }

  return {
    send,
    trouble: () =>
      post.verify().then(
        () => null,
        (error: unknown) => troubleOf(smtpErrorOf(error)),
      ),
    async [Symbol.asyncDispose]() {
      post.close();
    },
  };
}

/** Nobody has it: whoever counts on it goes on to the next way. */
const writtenOnly = {
  outcome: 'failed',
  reason: 'e-mail is not set up: the message was written to a file and reached nobody',
} as const;

function domainOf(from: string): string {
  const domain = /@([a-z0-9.-]+)\s*>?\s*$/i.exec(from)?.[1];
  if (!domain) throw new TypeError(`"${from}" must end in an e-mail address`);
  return domain;
}

function createSmtp(url: string, options: EmailOptions): MailTransport {
  const {
    connectTimeoutMs = sendingLimits.mailConnectTime,
    totalTimeoutMs = sendingLimits.mailTime,
  } = options;
  const pool = createTransport({
    url,
    pool: true,
    maxConnections: sendingLimits.mailConnections,
    // Tries again are the outbox's business, which remembers them.
    maxRequeues: 0,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    socketTimeout: Math.min(sendingLimits.mailIdleTime, totalTimeoutMs),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      const signal = AbortSignal.timeout(totalTimeoutMs);
      const { response } = await pool.sendMail({
        ...mail,
        headers: { ...mail.headers },
        signal,
      });
      return response;
    },
    verify: () => pool.verify(),
    close: () => pool.close(),
  };
}

// Refusals of this mail or this recipient. Anything else that goes wrong, a failed sign-in with
// its 5xx among it, is the operator's to mend while the mail waits.
const OF_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);

/**
 * The server does not let Pager sign in, refuses it before there is a mail, or its certificate is not
 * trusted.
 */
const isOfServer = ({ code, responseCode = 0, message }: SmtpError) =>
  responseCode >= 500 || code === 'EAUTH' || code === 'ENOAUTH' || /\bcertificate\b/i.test(message);

function failureOf(error: unknown): Exclude<Delivery, { readonly outcome: 'delivered' }> {
  const failure = smtpErrorOf(error);
  const { code, responseCode, response } = failure;
  const answer = response ? { answer: lineOf(response).slice(0, 2048) } : {};
  if (responseCode && responseCode >= 500 && OF_THE_MAIL.has(code))
    return {
      ...{ outcome: 'failed', blame: code === 'EENVELOPE' ? 'contact' : 'message' },
      ...{ reason: `the mail server refused with ${responseCode}`, ...answer },
    };
  const reason = `the mail was not taken: ${troubleOf(failure)}`;
  if (isOfServer(failure)) return { outcome: 'refused', blame: 'connection', reason, ...answer };
  return { outcome: 'no_answer', reason, ...answer };
}

/** The same in words, with the code for whoever searches for it. */
function troubleOf({ code, responseCode, message }: SmtpError): string {
  if (responseCode && code === 'EAUTH')
    return `the mail server refused the sign-in with ${responseCode}`;
  if (responseCode) return `the mail server answered ${responseCode} (${code})`;
  const words = inWords[code];
  if (words !== undefined) return `${words} (${code})`;
  return code === 'ESOCKET' ? `the connection to the mail server failed: ${message}` : code;
}

const inWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at the address of the mail server',
  ECONNRESET: 'the mail server closed the connection',
  ECONNECTION: 'the mail server closed the connection',
  EHOSTUNREACH: 'there is no route to the mail server',
  ENETUNREACH: 'there is no route to the mail server',
  ETIMEDOUT: 'the mail server did not answer in time',
  ABORT_ERR: 'the mail server did not answer in time',
  EDNS: 'the name of the mail server is not known',
  EAUTH: 'the mail server does not let Pager sign in',
  ETLS: 'the connection to the mail server cannot be secured',
  EPROTOCOL: 'what answers at the address of the mail server is not a mail server',
  ENOTDIR: 'its folder cannot be written to',
  EACCES: 'its folder cannot be written to',
  EROFS: 'its folder cannot be written to',
  ENOSPC: 'the disk is full',
};

type SmtpError = {
  readonly code: string;
  readonly message: string;
  readonly responseCode?: number;
  readonly response?: string;
};

function smtpErrorOf(error: unknown): SmtpError {
  if (!(error instanceof Error)) return { code: 'unknown', message: String(error) };
  const { code, errno, responseCode, response }: NodeJS.ErrnoException & Partial<SmtpError> = error;
  // A failure to connect has the code ESOCKET; its number says which failure it was.
  const isOfSystem = code === 'ESOCKET' && errno !== undefined && errno < 0;
  return {
    code: isOfSystem ? getSystemErrorName(errno) : String(code ?? error.name),
    message: lineOf(error.message).slice(0, 200),
    ...(typeof responseCode === 'number' ? { responseCode } : {}),
    ...(typeof response === 'string' ? { response } : {}),
  };
}
