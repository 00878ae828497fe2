// E-mail by the mail servers of an organization, in their order, each tried until one has taken the mail.
import type { Delivery, NoticeChannel } from '../../engine/sending/channel.ts';
import type { VendorAnswer } from '../../engine/sending/connection-health.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { deliveryOf, tooManyWait } from '../email.ts';
import { type MailTo, mailOf, reasonNotToSend } from '../notice-mail.ts';
import {
  mailAnswerOf,
  namesOfConnection,
  type SmtpError,
  serverAnswerOf,
  smtpErrorOf,
} from '../smtp-error.ts';
import type { SmtpTimes } from '../smtp-transport.ts';
import type { Connection, SendParts } from '../vendor.ts';
import { settingsOf, TransportCache } from './servers.ts';

export type SmtpParts = Pick<
  SendParts,
  'outbound' | 'log' | 'mailReturns' | 'connectionsOf' | 'inTurn' | 'answered'
> & { readonly times?: SmtpTimes };

type NotTaken = Exclude<Delivery, { readonly outcome: 'delivered' }>;
type Tried =
  | { readonly taken: string }
  | { readonly notTaken: NotTaken; readonly mayOtherSend: boolean };

export function createMailByConnection(parts: SmtpParts): NoticeChannel & AsyncDisposable {
  const { connectionsOf, inTurn, log } = parts;
  const servers = new TransportCache(parts);
  return {
    async send(notice, address, attempt) {
      const to = { notice, address, attempt };
      const unsent = reasonNotToSend(to);
      if (unsent !== null) return unsent;
      const connections = await inTurn(await connectionsOf(notice.organization.id));
      // All tries together end before another server may send the notice.
      const signal = AbortSignal.timeout(parts.times?.totalTimeoutMs ?? sendingLimits.mailTime);
      const notTaken: NotTaken[] = [];
      for (const connection of connections) {
        const tried = await sendBy({ servers, ...parts }, connection, { to, signal });
        if ('taken' in tried) {
          const counted = { connectionId: connection.id };
          return { outcome: 'delivered', answer: tried.taken, counted };
        }
        notTaken.push(tried.notTaken);
        if (!tried.mayOtherSend || signal.aborted) break;
      }
      const delivery = worstOf(notTaken);
      if (delivery.outcome !== 'failed')
        log.warn({ notice: notice.key, reason: delivery.reason }, 'an e-mail could not be sent');
      return delivery;
    },
    [Symbol.asyncDispose]: () => servers[Symbol.asyncDispose](),
  };
}

type Sending = { readonly to: MailTo; readonly signal: AbortSignal };

async function sendBy(
  { servers, mailReturns, answered }: SmtpParts & { readonly servers: TransportCache },
  connection: Connection,
  { to, signal }: Sending,
): Promise<Tried> {
  if (servers.usersOf(connection) >= sendingLimits.mailsWaiting)
    return { notTaken: tooManyWait, mayOtherSend: true };
  const { from_email: from } = settingsOf(connection);
  const mail = mailOf(to, { from, ...mailReturns });
  try {
    const taken = await servers.use(connection, (server) => server.send(mail, signal));
    await answered(connection, { kind: 'ok' });
    return { taken };
  } catch (error) {
    const failure = smtpErrorOf(error);
    const ofServer = serverAnswerOf(failure, namesOfConnection);
    const byRule: VendorAnswer | null = mailAnswerOf(failure);
    const answer = byRule ?? ofServer;
    if (answer !== null) await answered(connection, answer);
    const notTaken = deliveryOf(failure, ofServer);
    const isOfMail = notTaken.outcome === 'failed' && byRule === null;
    return { notTaken, mayOtherSend: !isOfMail && !mayBeTaken(failure) };
  }
}

/** The answer to a mail was lost: another server would perhaps send it twice. */
const mayBeTaken = ({ command, responseCode }: SmtpError): boolean =>
  command === 'DATA' && responseCode === undefined;

const withoutServer: NotTaken = {
  outcome: 'failed',
  reason:
    'no mail server can be used: the organization has no connection, or its password cannot be decrypted',
};

/** It is tried again if any of the servers may still take it. */
function worstOf(notTaken: readonly NotTaken[]): NotTaken {
  const by = (outcome: NotTaken['outcome']) => notTaken.find((one) => one.outcome === outcome);
  return by('no_answer') ?? by('refused') ?? notTaken[0] ?? withoutServer;
}
