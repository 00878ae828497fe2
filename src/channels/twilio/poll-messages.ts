// What people have written, listed where Twilio cannot call Pager, and answers to it.
import { sendingLimits } from '../../limits/sending.ts';
import type { Reply } from '../../replies/inbound.ts';
import { reasonAgainstNumber } from '../../resources/phone-prefixes.ts';
import { shortAnswer, whatsAppAnswer } from './answer.ts';
import type { InboundMessage, TwilioClient, TwilioResult } from './client.ts';
import { fromTwilio, type TwilioConnection } from './connection.ts';
import { twilioFaultOf } from './failure.ts';

type List = {
  /** The number that they were sent to. */
  readonly to: string;
  readonly since: Temporal.Instant;
  readonly signal: AbortSignal;
};

/** Newest first; some that are older may be among them, as Twilio lists whole days. */
export async function listInbound(
  client: TwilioClient,
  { to, since, signal }: List,
): Promise<TwilioResult<readonly InboundMessage[]>> {
  const day = since.toZonedDateTimeISO('UTC').toPlainDate();
  const all: InboundMessage[] = [];
  let next: string | null = null;
  for (let page = 0; page < sendingLimits.smsPollPages; page += 1) {
    const listed = await client.received({ to, since: day, next, signal });
    if (!listed.ok) return listed;
    const { messages } = listed.result;
    all.push(...messages);
    next = listed.result.next;
    const oldest = messages.at(-1);
    if (next === null) break;
    if (oldest && Temporal.Instant.compare(oldest.createdAt, since) < 0) break;
  }
  return { ok: true, result: all };
}

type Answer = {
  readonly connection: Pick<TwilioConnection, 'settings'>;
  /** The number that was written to. */
  readonly from: string;
  readonly to: string;
  readonly reply: NonNullable<Reply>;
  /** Waits for its turn; false: it does not come in time. */
  readonly turn: () => Promise<boolean>;
};

/** Answers why it could not be sent; null: it was. */
export async function answerWritten(
  client: TwilioClient,
  { connection, from, to, reply, turn }: Answer,
): Promise<string | null> {
  const { channel, address } = fromTwilio(to);
  const against = reasonAgainstNumber(address, connection.settings.allowed_prefixes);
  if (against !== null) return `the number ${against}`;
  if (!(await turn())) return 'too many messages are waiting there to be sent in time';
  const sent = await client.create('Messages', {
    To: to,
    From: from,
    Body: channel === 'whatsapp' ? whatsAppAnswer(reply) : shortAnswer(reply.text),
    ValidityPeriod: String(sendingLimits.smsTime),
  });
  return sent.ok ? null : twilioFaultOf(sent.failure).reason;
}
