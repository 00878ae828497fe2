import type { SourceTime } from '../alerts/alert.ts';
import type { Sender } from './incident.ts';

/** The last end of a deduplication key that its source reported. */
export type KeyEnd = {
  readonly by: SourceTime['by'] | 'direct';
  /** By the clock of the source. */
  readonly endedAt: Temporal.Instant;
  readonly takenAt: Temporal.Instant;
  /** Who sent it, and who had reported the alert and not its end, of several that send it. */
  readonly reporter?: string;
  readonly stillReportedBy?: readonly string[];
  /** The last firing that was older, whose paging was put off: when it began, and since when. */
  readonly putOff: { readonly beganAt: Temporal.Instant; readonly since: Temporal.Instant } | null;
  /** The last end of each server that sends the alert itself. */
  readonly senders?: readonly Sender[];
};
