import {
  type Blame,
  type Delivery,
  type ReportedDelivery,
  refusalBlames,
} from '../engine/sending/channel.ts';
import type { VendorAnswer } from '../engine/sending/connection-health.ts';

/** Why a vendor did not do what it was requested to. */
export type VendorFault<Blame extends string> = {
  /**
   * What has to change before it can succeed: nothing but the time (`later`), or something else, by its
   * name. `unlisted`: the vendor refused it with an error that Pager does not know, so the next
   * connection is used, then the next contact.
   */
  readonly blame: Blame | 'later' | 'unlisted';
  readonly reason: string;
  readonly retryAfterSeconds?: number;
  /** Nothing was requested: its turn does not come sooner than that. */
  readonly turnInSeconds?: number;
  /** What was requested may be done all the same. */
  readonly maybeExecuted: boolean;
  /** The vendor did not answer, or failed itself: nothing is wrong with what was sent. */
  readonly isOutage?: true;
  /** The vendor was asked nothing: the connection cannot send this notice, and may well send others. */
  readonly isUnasked?: true;
};

/**
 * What a fault says of the connection itself, as a vendor that refuses a contact or a message works.
 * Null: nothing, such as that it gets too much at once.
 */
function answerOf(fault: VendorFault<string>): VendorAnswer | null {
  const { blame, reason, isOutage = false, isUnasked = false } = fault;
  if (isUnasked) return null;
  if (isOutage) return { kind: 'outage', reason };
  if (blame === 'connection') return { kind: 'refusal', reason };
  if (blame === 'unlisted') return { kind: 'unexplained', reason };
  return blame === 'later' ? null : { kind: 'ok' };
}

/** Of an organisation's connections, which are used first, and what that brought. */
export type InTurn<Connection> = {
  /** None is left out. */
  readonly inTurn: <Each extends Connection>(
    connections: readonly Each[],
  ) => Promise<readonly Each[]>;
  /** What the vendor answered to what was sent by it. Never throws. */
  readonly answered: (connection: Connection, answer: VendorAnswer) => Promise<void>;
};

/** Notes what a vendor answered; without a fault it took what was sent. */
export async function noteAnswer<Connection>(
  { answered }: Pick<InTurn<Connection>, 'answered'>,
  connection: Connection,
  fault: VendorFault<string> | null,
): Promise<void> {
  const answer: VendorAnswer | null = fault === null ? { kind: 'ok' } : answerOf(fault);
  if (answer !== null) await answered(connection, answer);
}

type Untaken = Exclude<Delivery, { readonly outcome: 'delivered' }>;
type Undelivered = Untaken | Extract<ReportedDelivery, { readonly outcome: 'withheld' }>;

/** It is tried again if nothing but the time has to change. */
export function deliveryOf(fault: VendorFault<string>): Untaken {
  const { blame, reason, retryAfterSeconds } = fault;
  if (blame !== 'later') return { outcome: 'failed', reason, ...blamed([fault]) };
  return { outcome: 'no_answer', reason, ...(retryAfterSeconds && { retryAfterSeconds }) };
}

/** Of what is changed where it stands: whoever mends the connection mends its messages. */
export const unchanged = (fault: VendorFault<string>): Untaken =>
  fault.blame === 'connection'
    ? { outcome: 'refused', blame: 'connection', reason: fault.reason }
    : deliveryOf(fault);

/** Who is to blame, where that is the same for all of them. */
export function blamed(faults: readonly Pick<VendorFault<string>, 'blame'>[]): {
  readonly blame?: Blame;
} {
  const [first, ...others] = new Set(faults.map(({ blame }) => blame));
  const blame = refusalBlames.find((one) => one === first);
  return blame === undefined || others.length > 0 ? {} : { blame };
}

/** Of a message that its vendor cannot be asked for. */
export const inDoubt = (
  undelivered: Undelivered,
  faults: readonly Pick<VendorFault<string>, 'maybeExecuted'>[],
): Undelivered =>
  undelivered.outcome === 'no_answer' && faults.some(({ maybeExecuted }) => maybeExecuted)
    ? { ...undelivered, maybeTaken: true }
    : undelivered;

/**
 * Of a message that the vendor may have taken before: why it is not sent now. Whoever answers nothing
 * would take it again without an answer. `probed`: of a request that changes nothing.
 */
export function silenceOf<Fault extends VendorFault<string>>(probed: Fault | null): Fault | null {
  return probed?.isOutage ? { ...probed, maybeExecuted: false } : null;
}

/** Of a notice that waits for its turn at an account, and that no other may still send; else null. */
export function withheldOf(
  faults: readonly Pick<VendorFault<string>, 'blame' | 'reason' | 'turnInSeconds'>[],
): Extract<ReportedDelivery, { readonly outcome: 'withheld' }> | null {
  const later = faults.filter(({ blame }) => blame === 'later');
  const waits = later.flatMap(({ turnInSeconds = [] }) => turnInSeconds);
  const [first] = later;
  if (first === undefined || waits.length < later.length) return null;
  return { outcome: 'withheld', reason: first.reason, forSeconds: Math.min(...waits) };
}

/** Of a notice that no account could send: it is tried again if any may still send it. */
export function undelivered(
  faults: readonly VendorFault<string>[],
  withoutConnection: string,
): Undelivered {
  const withheld = withheldOf(faults);
  if (withheld !== null) return withheld;
  const later = faults.find(
    ({ blame, turnInSeconds }) => blame === 'later' && turnInSeconds === undefined,
  );
  if (later !== undefined) return deliveryOf(later);
  const reasons = faults.map(({ reason }) => reason);
  return { outcome: 'failed', reason: reasons.join('; ') || withoutConnection, ...blamed(faults) };
}
