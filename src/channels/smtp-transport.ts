// Mail over one SMTP server, by connections that are kept for the next mail.
import type { Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import type { Log } from '../engine/log.ts';
import { sendingLimits } from '../limits/sending.ts';
import type { Mail, MailTransport } from './mail-transport.ts';
import { type SettingNames, type SmtpError, smtpErrorOf, troubleOf } from './smtp-error.ts';

/** The server of the environment, which may be on any network. */
type ByUrl = { readonly url: string };

/** A server that people choose. */
type Chosen = {
  readonly host: string;
  readonly port: number;
  readonly security: 'starttls' | 'tls' | 'none';
  /** Null: it requires no sign-in. */
  readonly signIn: { readonly user: string; readonly pass: string } | null;
  /** Opens a connection, to an address that Pager may call. */
  readonly connect: () => Promise<Socket>;
};

export type SmtpServer = ByUrl | Chosen;

/** Absent: the limits. */
export type SmtpTimes = {
  readonly connectTimeoutMs?: number;
  /** Of a mail. */
  readonly totalTimeoutMs?: number;
  readonly verifyTimeoutMs?: number;
};

export type SmtpTransportOptions = SmtpTimes & {
  readonly server: SmtpServer;
  readonly names: SettingNames;
  readonly log: Log;
};

export type SmtpTransport = Pick<MailTransport, 'verify' | 'close'> & {
  /** Without a signal it ends once a mail has taken as long as it may. */
  send(mail: Mail, signal?: AbortSignal): Promise<string>;
};

export function createSmtpTransport(options: SmtpTransportOptions): SmtpTransport {
  const {
    server,
    connectTimeoutMs = sendingLimits.mailConnectTime,
    totalTimeoutMs = sendingLimits.mailTime,
    verifyTimeoutMs = sendingLimits.mailCheckTime,
  } = options;
  const pool = createTransport({
    ...('url' in server ? server : chosen(server)),
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
  const sendFrom = async ({ envelopeSender, ...mail }: Mail, signal: AbortSignal) => {
    const envelope = { from: envelopeSender, to: mail.to.address };
    const { response } = await pool.sendMail({
      ...mail,
      headers: { ...mail.headers },
      ...(envelopeSender !== undefined && { envelope }),
      signal,
    });
    return response;
  };
  let isRefusalLogged = false;
  return {
    async send(mail, signal = AbortSignal.timeout(totalTimeoutMs)) {
      try {
        return await sendFrom(mail, signal);
      } catch (error) {
        const failure = smtpErrorOf(error);
        if (mail.envelopeSender === undefined || !mayBeForSender(failure)) throw error;
        // Many mail servers accept only senders that they know: a page is sent rather than its bounce received.
        const { envelopeSender: _, ...plain } = mail;
        const response = await sendFrom(plain, signal);
        if (!isRefusalLogged && mail.envelopeSender !== '') {
          isRefusalLogged = true;
          options.log.warn(
            { reason: troubleOf(failure), setting: 'PAGER_EMAIL_BOUNCES' },
            `the mail server accepts e-mails only from ${options.names.sender}, so Pager does not receive bounces`,
          );
        }
        return response;
      }
    },
    verify: () => within(verifyTimeoutMs, pool.verify()),
    close: () => pool.close(),
  };
}

/** A server that answers now and then, and never to the end, is waited for no longer. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const error = Object.assign(new Error('the mail server did not answer in time'), {
    code: 'ETIMEDOUT',
  });
  const timer = setTimeout(() => late.reject(error), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Postfix and others refuse a sender only once they are told the recipient. */
const mayBeForSender = ({ command = '', responseCode = 0 }: SmtpError): boolean =>
  responseCode >= 400 && ['MAIL FROM', 'RCPT TO', 'DATA'].includes(command);

type ReportSocket = (error: Error | null, result: { connection: Socket } | false) => void;

const chosen = ({ host, port, security, signIn, connect }: Chosen) => ({
  host,
  port,
  secure: security === 'tls',
  requireTLS: security === 'starttls',
  ignoreTLS: security === 'none',
  // A server that offers no sign-in would else get the mails without one.
  ...(signIn !== null && { auth: signIn, forceAuth: true }),
  getSocket(_options: unknown, report: ReportSocket) {
    connect().then(
      (connection) => report(null, { connection }),
      (error: unknown) => report(error instanceof Error ? error : new Error(String(error)), false),
    );
  },
});
