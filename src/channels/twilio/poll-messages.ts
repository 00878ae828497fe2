// SMS that people have sent, listed where Twilio cannot call Pager, and answers to them.
import { sendingLimits } from '../../limits/sending.ts';
import { reasonAgainstNumber } from '../../resources/phone-prefixes.ts';
import { shortAnswer } from './answer.ts';
import type { InboundMessage, TwilioClient, TwilioResult } from './client.ts';
import type { TwilioConnection } from './connection.ts';
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
  readonly text: string;
  /** Waits for its turn; false: it does not come in time. */
  readonly turn: () => Promise<boolean>;
};

/** Answers why it could not be sent; null: it was. */
export async function answerBySms(
  client: TwilioClient,
  { connection, from, to, text, turn }: Answer,
): Promise<string | null> {
  const against = reasonAgainstNumber(to, connection.settings.allowed_prefixes);
  if (against !== null) return `the number ${against}`;
  if (!(await turn())) return 'too many SMS are waiting there to be sent in time';
  const sent = await client.create('Messages', {
    To: to,
    From: from,
    Body: shortAnswer(text),
    ValidityPeriod: String(sendingLimits.smsTime),
  });
  return sent.ok ? null : twilioFaultOf(sent.failure).reason;
}
