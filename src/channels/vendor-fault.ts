import type { Delivery } from '../engine/sending/channel.ts';

/** Why a vendor did not do what it was requested to. */
export type VendorFault<Blame extends string> = {
  /**
   * What has to change before it can succeed: nothing but the time (`later`), or something else,
   * by its name. What is not known is `later`, so that it is never given up.
   */
  readonly blame: Blame | 'later';
  readonly reason: string;
  readonly retryAfterSeconds?: number;
  /** What was requested may be done all the same. */
  readonly maybeExecuted: boolean;
};

/** Of a notice that no account could send: it is tried again if any may still send it. */
export function undelivered(
  faults: readonly VendorFault<string>[],
  withoutConnection: string,
): Delivery & { readonly outcome: 'retry' | 'failed' } {
  const later = faults.find(({ blame }) => blame === 'later');
  if (later !== undefined) {
    const { reason, retryAfterSeconds } = later;
    return { outcome: 'retry', reason, ...(retryAfterSeconds && { retryAfterSeconds }) };
  }
  const reasons = faults.map(({ reason }) => reason);
  return { outcome: 'failed', reason: reasons.join('; ') || withoutConnection };
}
