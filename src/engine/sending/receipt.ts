// What vendors report about messages and calls that they took, and what follows for the notice.

import { sendingLimits } from '../../limits/sending.ts';
import { counted } from '../../resources/plural.ts';

/**
 * `sent`: on its way; `answered`: somebody or something took the call; `undelivered`: it did not
 * arrive; `unanswered`: it rang, and nobody pressed a key; `read_out`: a call without keys was taken,
 * by a person or a mailbox; `delivered`: it is on the device; `acted`: they pressed a key that did
 * something.
 */
export const receiptStates = [
  'sent',
  'answered',
  'undelivered',
  'unanswered',
  'read_out',
  'delivered',
  'acted',
] as const;
export type ReceiptState = (typeof receiptStates)[number];

/** What has to change before another try can arrive: nothing but the time, or one of both. */
export const blames = ['later', 'contact', 'connection'] as const;

export type Receipt = {
  readonly state: ReceiptState;
  /** Such as "busy" or "the number does not exist (21211)"; empty where the state says it all. */
  readonly reason: string;
  /** Of what did not arrive. */
  readonly blame: (typeof blames)[number] | null;
};

/** Receipts come late, twice and in any order: only one of a higher rank counts. */
const ranks: Readonly<Record<ReceiptState, number>> = {
  sent: 1,
  answered: 2,
  undelivered: 3,
  unanswered: 3,
  read_out: 3,
  delivered: 4,
  acted: 5,
};

/** That the notice has arrived. */
export const confirms = ({ state }: Pick<Receipt, 'state'>): boolean =>
  state === 'delivered' || state === 'acted';

/** Of calls; the second within three minutes rings through where the first was silenced. */
export const calledAgain = ['unanswered', 'read_out'] as const satisfies readonly ReceiptState[];

/** Whether one more call may reach somebody. */
export const isCalledAgain = (receipt: Pick<Receipt, 'state'> | null): boolean =>
  calledAgain.some((state) => state === receipt?.state);

export const isFinal = ({ state }: Pick<Receipt, 'state'>): boolean =>
  state !== 'sent' && state !== 'answered';

/** The attempt that a receipt is about, with its notice. */
export type ReportedAttempt = {
  /** The notice is neither sent nor ended. */
  readonly isPending: boolean;
  readonly isLast: boolean;
  /** What the channel answered is recorded: the vendor took it. */
  readonly isHandedOver: boolean;
  /** The same: no answer came. */
  readonly isUnanswered?: boolean;
  /** The notice is sent: the other side took it, and reports nothing unless it fails. */
  readonly isAccepted?: boolean;
  readonly receipt: Receipt | null;
  /** As people recognise it, of a page that was tried at several; else null. */
  readonly contact: string | null;
  /** The name of the connection that reports it, where that is known. */
  readonly connectionName?: string | undefined;
  /** When the vendor took it; null: it is not recorded, or the receipt came before that was. */
  readonly handedOverAt: Temporal.Instant | null;
  /** How many calls before this one reached nobody for sure. */
  readonly callsBefore: number;
};

export type ReceiptResult = {
  /** What becomes of the notice; null: it stays as it is. */
  readonly notice:
    | { readonly state: 'sent' }
    | { readonly state: 'pending'; readonly wakeAt: Temporal.Instant }
    | null;
  /** The end of a sentence that begins with the notice; null: nothing that people want to read. */
  readonly text: string | null;
  /** The vendor has it, although its answer was lost. */
  readonly isTaken?: true;
  /** It counted as delivered, and came back. */
  readonly isReturned?: true;
};

/** Of the timeline's entry for it. */
export const entryTypeOf = ({ notice, isTaken }: ReceiptResult): string => {
  if (isTaken) return 'notice_handed_over';
  return notice?.state === 'pending' ? 'notice_retry' : 'notice_sent';
};

/**
 * Whether what was reported is of another request of the same attempt, which its vendor did though it
 * did not answer: only that it has arrived says something of the notice.
 */
export const isOfAnother = (
  { isHandedOver, vendorId }: { readonly isHandedOver: boolean; readonly vendorId: string | null },
  reported: { readonly vendorId: string; readonly receipt: Pick<Receipt, 'state'> },
): boolean =>
  isHandedOver &&
  vendorId !== null &&
  vendorId !== reported.vendorId &&
  !confirms(reported.receipt);

/** What a receipt changes; null: nothing, it is known already or comes too late. */
export function receiptResult(
  attempt: ReportedAttempt,
  receipt: Receipt,
  now: Temporal.Instant,
): ReceiptResult | null {
  const before = attempt.receipt === null ? 0 : ranks[attempt.receipt.state];
  return ranks[receipt.state] > before ? resultOf(attempt, receipt, now) : null;
}

/** The same of a receipt that came before the channel's answer was recorded. */
export function resultOf(
  attempt: ReportedAttempt,
  { state, reason }: Receipt,
  now: Temporal.Instant,
): ReceiptResult {
  const { isPending, isLast, isHandedOver, callsBefore } = attempt;
  const nothing: ReceiptResult = { notice: null, text: null };
  const how = howOf(attempt, now);
  // A confirmation stands, whichever attempt it is of and whether or not its answer is known. Of a
  // notice that has ended, the timeline may say the contrary until then.
  if (state === 'delivered' || state === 'acted') {
    if (!isPending && attempt.receipt !== null && confirms(attempt.receipt)) return nothing;
    const text = `${confirmations[state]}${how}`;
    return { notice: isPending ? { state: 'sent' } : null, text };
  }
  if (attempt.isAccepted && isLast && state === 'undelivered') {
    const text = `${failures[state]}${how}${reason && `: ${reason}`}`;
    return { notice: { state: 'pending', wakeAt: now }, text, isReturned: true };
  }
  if (!isPending || !isLast) return nothing;
  const after = (seconds: number) => now.add({ seconds });
  if (!isHandedOver && attempt.isUnanswered && (state === 'sent' || state === 'answered')) {
    const seconds = state === 'sent' ? sendingLimits.callReceipt : sendingLimits.answeredCall;
    const text = `was accepted${how} after all, and its receipt is pending`;
    return { notice: { state: 'pending', wakeAt: after(seconds) }, text, isTaken: true };
  }
  if (!isHandedOver || state === 'sent') return nothing;
  if (state === 'answered') {
    const wakeAt = after(sendingLimits.answeredCall);
    return { notice: { state: 'pending', wakeAt }, text: null };
  }
  const isRepeated = isCalledAgain({ state }) && callsBefore === 0;
  const wakeAt = isRepeated ? after(sendingLimits.callAgain) : now;
  const what = failures[state];
  const text = `${what}${how}${reason && `: ${reason}`}`;
  return { notice: { state: 'pending', wakeAt }, text };
}

/** At which contact, by which connection, and how long after the vendor took it. */
function howOf(
  { contact, connectionName, handedOverAt }: ReportedAttempt,
  now: Temporal.Instant,
): string {
  const at = contact === null ? '' : ` at ${contact}`;
  const by = connectionName === undefined ? '' : ` by ${connectionName}`;
  const ms = handedOverAt === null ? 0 : now.epochMilliseconds - handedOverAt.epochMilliseconds;
  const seconds = Math.round(ms / 1_000);
  // Clocks may be turned back.
  return `${at}${by}${seconds < 1 ? '' : ` after ${spanOf(seconds)}`}`;
}

const spanOf = (seconds: number): string =>
  seconds < 120 ? counted(seconds, 'second') : counted(Math.round(seconds / 60), 'minute');

const confirmations = { delivered: 'was delivered', acted: 'was answered with a key' } as const;

const failures = {
  undelivered: 'was not delivered',
  unanswered: 'reached nobody',
  read_out: 'was read out',
} as const;
