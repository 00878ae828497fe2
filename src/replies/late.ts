// Texts that are read long after they were written.
import { sendingLimits } from '../limits/sending.ts';

/** It may be about another incident than the one that is open now. */
export const isLate = (writtenAt: Temporal.Instant, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(writtenAt, now.subtract({ seconds: sendingLimits.textLate })) < 0;
