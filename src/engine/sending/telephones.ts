// One call at a time rings a telephone: the others wait until it has ended, or nothing is heard of it.
import { sendingLimits } from '../../limits/sending.ts';
import { rings } from '../../resources/channels.ts';
import type { Claimed } from './claimed.ts';
import { isFinal } from './receipt.ts';

type Call = Pick<Claimed, 'channel' | 'recipient_key' | 'key' | 'earlier'>;

export const isCall = ({ channel }: Pick<Claimed, 'channel'>): boolean => rings(channel);

/** How long a call may last from when a vendor takes it. */
export const longestCall = {
  seconds: sendingLimits.callReceipt + sendingLimits.answeredCall,
} as const;

type Busy = {
  /** By recipient, until when calls of notices that are not claimed now may be in progress. */
  readonly until: ReadonlyMap<string, Temporal.Instant>;
  readonly now: Temporal.Instant;
};

/** Decides which of the claimed calls have to wait; asked in the order of urgency. */
export class Telephones {
  readonly #busyUntil: Map<string, Temporal.Instant>;
  /** By recipient, the notice of these whose call may be in progress: its result comes first. */
  readonly #inProgress: ReadonlyMap<string, string>;
  readonly #leaseEnd: Temporal.Instant;

  constructor(notices: readonly Call[], { until, now }: Busy) {
    const inProgress = notices.filter(isCall).filter(({ earlier }) => {
      const last = earlier.at(-1);
      return last !== undefined && (last.receipt === null || !isFinal(last.receipt));
    });
    this.#busyUntil = new Map(until);
    this.#inProgress = new Map(inProgress.map(({ recipient_key, key }) => [recipient_key, key]));
    this.#leaseEnd = now.add({ seconds: sendingLimits.lease });
  }

  /** Until when a notice waits for another call to the same telephone; null: it rings next. */
  busyUntil(notice: Call): Temporal.Instant | null {
    if (!isCall(notice)) return null;
    const { recipient_key, key } = notice;
    if ((this.#inProgress.get(recipient_key) ?? key) !== key) return this.#leaseEnd;
    const until = this.#busyUntil.get(recipient_key) ?? null;
    if (until === null) this.#busyUntil.set(recipient_key, this.#leaseEnd);
    return until;
  }
}
