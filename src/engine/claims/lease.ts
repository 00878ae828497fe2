// Until when what a server has claimed belongs to it. Another server takes it over after that.
import { sendingLimits } from '../../limits/sending.ts';

/** The fraction of a millisecond is random: two claims hardly ever have the same lease. */
export const leaseFrom = (now: Temporal.Instant, random: () => number): Temporal.Instant =>
  now.add({ seconds: sendingLimits.lease, microseconds: Math.floor(random() * 1_000) });

/** When it was claimed, without that fraction. */
export const claimedAt = (leaseUntil: Temporal.Instant): Temporal.Instant =>
  leaseUntil
    .subtract({ seconds: sendingLimits.lease })
    .round({ smallestUnit: 'millisecond', roundingMode: 'floor' });
