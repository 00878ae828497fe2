import { createTransport } from 'nodemailer';
import type { Clock } from '../engine/clock.ts';
import type { Log } from '../engine/log.ts';
import type { Attempt, Channel, Delivery } from '../engine/sending/channel.ts';
import type { NoteAnswer, VendorAnswer } from '../engine/sending/connection-health.ts';
import { isPage } from '../incidents/incident.ts';
import { sendingLimits } from '../limits/sending.ts';
import { emailOf, isRepliedTo } from '../notices/email.ts';
import type { Notice } from '../notices/notice.ts';
import { lineOf } from '../notices/words/wording.ts';
import { mailAddress } from '../replies/mail-handles.ts';
import { mailChannel } from '../resources/channels.ts';
import { createMailFolder } from './mail-folder.ts';
import type { Mail, MailTransport } from './mail-transport.ts';
import {
  mailAnswerOf,
  type SmtpError,
  serverAnswerOf,
  smtpErrorOf,
  troubleOf,
  troubleToMend,
} from './smtp-error.ts';

export type EmailOptions = {
  /** Where mail goes, as `smtps://user:password@host`; without it each becomes a file. */
  readonly smtpUrl?: string;
  readonly from: string;
  readonly mailDir: string;
  /** Where replies are received; absent: nowhere. */
  readonly replyDomain?: string | null;
  /** Where bounces are received; absent: they go to `from`. */
  readonly bounceDomain?: string | null;
  readonly log: Log;
  readonly clock: Clock;
  /** Called with what each answer shows about the mail server. */
  readonly answered?: NoteAnswer;
  readonly connectTimeoutMs?: number;
  readonly totalTimeoutMs?: number;
};

export type Email = Channel &
  AsyncDisposable & {
    /** Why no mail could be sent now, with what to do about it; null: it could. */
    trouble(): Promise<string | null>;
  };

/** Mail over the operator's own SMTP server, which may be on a private network. */
export function createEmail(options: EmailOptions): Email {
  const { smtpUrl, from } = options;
  const domain = domainOf(from);
  const post = smtpUrl === undefined ? createMailFolder(options) : createSmtp(smtpUrl, options);
  let waiting = 0;

  async function send(notice: Notice, address: string, attempt?: Attempt): Promise<Delivery> {
    const bounced = attempt?.earlier.find(({ receipt }) => receipt?.state === 'undelivered');
    if (bounced?.receipt)
      return { outcome: 'failed', blame: 'contact', reason: bounced.receipt.reason };
    // A list or a header in the place of an address would reach people nobody meant.
    if (!/^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\]+$/.test(address))
      return { outcome: 'failed', blame: 'contact', reason: 'not an e-mail address' };
    if (waiting >= sendingLimits.mailsWaiting)
      return {
        outcome: 'no_answer',
        reason: `${sendingLimits.mailsWaiting} e-mails are already waiting to be sent`,
      };
    waiting += 1;
    const { id: organizationId } = notice.organization;
    try {
      const to = { name: lineOf(notice.recipient ?? ''), address };
      const { replyTo, ...envelope } = returnsOf(notice, options, attempt);
      const mail = { ...emailOf(notice, { from, domain, replyTo }), to, ...envelope };
      const answer = await post.send(mail, notice);
      if (smtpUrl === undefined) return { ...writtenOnly, answer };
      await noteAnswers(organizationId, { ofServer: ok, ofMail: ok });
      return { outcome: 'delivered', answer };
    } catch (error) {
      const failure = smtpErrorOf(error);
      const ofServer = serverAnswerOf(failure);
      await noteAnswers(organizationId, { ofServer, ofMail: mailAnswerOf(failure) });
      const delivery = deliveryOf(failure, ofServer);
      if (delivery.outcome !== 'failed') {
        options.log.warn(
          { notice: notice.key, reason: delivery.reason },
          'an e-mail could not be sent',
        );
      }
      return delivery;
    } finally {
      waiting -= 1;
    }
  }

  async function noteAnswers(organizationId: string, { ofServer, ofMail }: Answers): Promise<void> {
    const { answered } = options;
    if (smtpUrl === undefined || answered === undefined) return;
    const channel = { channel: mailChannel, service: '' };
    if (ofServer !== null) await answered({ organizationId: null, ...channel }, ofServer);
    if (ofMail !== null) await answered({ organizationId, ...channel }, ofMail);
  }

  return {
    send,
    trouble: () =>
      post.verify().then(
        () => null,
        (error: unknown) => troubleToMend(smtpErrorOf(error)),
      ),
    async [Symbol.asyncDispose]() {
      post.close();
    },
  };
}

type Returns = { readonly replyTo?: string; readonly envelopeSender?: string };

/** Where replies and bounces go: to Pager, if it receives them. */
function returnsOf(
  notice: Notice,
  { replyDomain, bounceDomain }: Pick<EmailOptions, 'replyDomain' | 'bounceDomain'>,
  attempt: Attempt | undefined,
): Returns {
  // Programs must not answer an answer.
  if (notice.about === 'answer') return { envelopeSender: '' };
  if (attempt === undefined || notice.about !== 'incident' || !isPage(notice)) return {};
  const { handle } = attempt;
  return {
    ...(replyDomain &&
      isRepliedTo(notice) && { replyTo: mailAddress('reply', handle, replyDomain) }),
    ...(bounceDomain && { envelopeSender: mailAddress('bounce', handle, bounceDomain) }),
  };
}

/** Nobody has it: whoever counts on it goes on to the next way. */
const writtenOnly = {
  outcome: 'failed',
  reason: 'e-mail is not set up: the message was written to a file and reached nobody',
} as const;

const ok: VendorAnswer = { kind: 'ok' };

/** What a mail shows about the mail server, and about its organization's mails; null: nothing. */
type Answers = { readonly ofServer: VendorAnswer | null; readonly ofMail: VendorAnswer | null };

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
    async send(mail) {
      const signal = AbortSignal.timeout(totalTimeoutMs);
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
            'the mail server accepts e-mails only from PAGER_MAIL_FROM, so Pager does not receive bounces',
          );
        }
        return response;
      }
    },
    verify: () => pool.verify(),
    close: () => pool.close(),
  };
}

/** Postfix and others refuse a sender only once they are told the recipient. */
const mayBeForSender = ({ command = '', responseCode = 0 }: SmtpError): boolean =>
  responseCode >= 400 && ['MAIL FROM', 'RCPT TO', 'DATA'].includes(command);

// Refusals of this mail or this recipient. Anything else that goes wrong, a failed sign-in with
// its 5xx among it, is the operator's to mend while the mail waits.
const OF_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);

function deliveryOf(
  failure: SmtpError,
  ofServer: VendorAnswer | null,
): Exclude<Delivery, { readonly outcome: 'delivered' }> {
  const { code, responseCode, response } = failure;
  const answer = response ? { answer: lineOf(response).slice(0, 2048) } : {};
  const reason = `the e-mail was not accepted: ${troubleOf(failure)}`;
  if (ofServer?.kind === 'refusal')
    return { outcome: 'refused', blame: 'connection', reason, ...answer };
  if (responseCode && responseCode >= 500 && OF_THE_MAIL.has(code))
    return {
      outcome: 'failed',
      blame: code === 'EENVELOPE' ? 'contact' : 'message',
      reason: `the mail server refused with ${responseCode}`,
      ...answer,
    };
  return { outcome: 'no_answer', reason, ...answer };
}
