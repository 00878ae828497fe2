// What became of an alert.
import type { Finding } from './findings.ts';
import type { Outcome } from './incident.ts';
import type { KeyEnd } from './key-end.ts';

export type AlertOutcome =
  | 'opened'
  | 'grouped'
  | 'suppressed'
  | 'resolved'
  | 'acknowledged'
  | 'ignored'
  | 'dropped';

export type DecisionResult = {
  readonly outcome: AlertOutcome;
  readonly reason: string | null;
  /** The incident it went to: opened or changed. */
  readonly incidentId: string | null;
  readonly opened: boolean;
  /** Rules of its team matched it. */
  readonly ruled: boolean;
  /** Counted onto the row of this event instead of being kept singly. */
  readonly stormEventId: string | null;
  readonly outcomes: readonly Outcome[];
  /** What is remembered from now on of the last end of the key; absent: it stays. */
  readonly end?: KeyEnd;
  /** The key of what it ended, of an end without one of its own. */
  readonly endedKey?: string;
  /** What somebody should know about the integration. */
  readonly findings?: readonly Finding[];
};

export const nothing = (outcome: AlertOutcome, reason: string): DecisionResult => ({
  outcome,
  reason,
  incidentId: null,
  opened: false,
  ruled: false,
  stormEventId: null,
  outcomes: [],
});
