import type { Clock } from '../engine/clock.ts';
import type { Log } from '../engine/log.ts';
import type { Channel, Delivery } from '../engine/sending/channel.ts';
import type { NoteAnswer, VendorAnswer } from '../engine/sending/connection-health.ts';
import { sendingLimits } from '../limits/sending.ts';
import { lineOf } from '../notices/words/wording.ts';
import { mailChannel } from '../resources/channels.ts';
import { createMailFolder } from './mail-folder.ts';
import type { MailTransport } from './mail-transport.ts';
import { domainOf, type MailReturns, mailOf, reasonNotToSend } from './notice-mail.ts';
import {
  mailAnswerOf,
  namesOfEnvironment,
  type SmtpError,
  serverAnswerOf,
  smtpErrorOf,
  troubleOf,
  troubleToMend,
} from './smtp-error.ts';
import { createSmtpTransport, type SmtpTimes } from './smtp-transport.ts';

export type EmailOptions = MailReturns &
  SmtpTimes & {
    /** Where mail goes, as `smtps://user:password@host`; without it each becomes a file. */
    readonly smtpUrl?: string;
    readonly from: string;
    readonly mailDir: string;
    readonly log: Log;
    readonly clock: Clock;
    /** Called with what each answer shows about the mail server. */
    readonly answered?: NoteAnswer;
  };

export type Email = Channel &
  AsyncDisposable & {
    /** Why no mail could be sent now, with what to do about it; null: it could. */
    trouble(): Promise<string | null>;
  };

/** Mail over the operator's own SMTP server, which may be on a private network, or into a folder. */
export function createEmail(options: EmailOptions): Email {
  const { smtpUrl, from } = options;
  // Refused at the start and not with the first mail.
  domainOf(from);
  const post = smtpUrl === undefined ? createMailFolder(options) : overSmtp(smtpUrl, options);
  let waiting = 0;

  const send: Channel['send'] = async (notice, address, attempt) => {
    const to = { notice, address, attempt };
    const unsent = reasonNotToSend(to);
    if (unsent !== null) return unsent;
    if (waiting >= sendingLimits.mailsWaiting) return tooManyWait;
    waiting += 1;
    const { id: organizationId } = notice.organization;
    try {
      const answer = await post.send(mailOf(to, options), notice);
      if (smtpUrl === undefined) return { ...writtenOnly, answer };
      await noteAnswers(organizationId, { ofServer: ok, ofMail: ok });
      return { outcome: 'delivered', answer };
    } catch (error) {
      const failure = smtpErrorOf(error);
      const ofServer = serverAnswerOf(failure, namesOfEnvironment);
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
  };

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
        (error: unknown) => troubleToMend(smtpErrorOf(error), namesOfEnvironment),
      ),
    async [Symbol.asyncDispose]() {
      post.close();
    },
  };
}

function overSmtp(url: string, options: EmailOptions): MailTransport {
  const smtp = createSmtpTransport({ ...options, server: { url }, names: namesOfEnvironment });
  return { ...smtp, send: (mail) => smtp.send(mail) };
}

/** Nobody has it: whoever counts on it goes on to the next way. */
const writtenOnly = {
  outcome: 'failed',
  reason: 'e-mail is not set up: the message was written to a file and reached nobody',
} as const;

const ok: VendorAnswer = { kind: 'ok' };

/** What a mail shows about the mail server, and about its organization's mails; null: nothing. */
type Answers = { readonly ofServer: VendorAnswer | null; readonly ofMail: VendorAnswer | null };

export const tooManyWait = {
  outcome: 'no_answer',
  reason: `${sendingLimits.mailsWaiting} e-mails are already waiting to be sent`,
} as const satisfies Delivery;

// Refusals of this mail or this recipient. Anything else that goes wrong, a failed sign-in with
// its 5xx among it, is the operator's to mend while the mail waits.
const OF_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);

export function deliveryOf(
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
