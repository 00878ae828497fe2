// What deciding an alert shows about its integration that somebody should know: the attention strip
// shows the last of each kind. None of it changes what is paged.

import { incidentsLimits } from '../limits/incidents.ts';

export const findingKinds = [
  'unmatched_end',
  'two_senders',
  'sender_clock',
  'omitted_alerts',
] as const;
export type FindingKind = (typeof findingKinds)[number];

/** For how long the attention strip shows one. */
export const shownFor = { hours: incidentsLimits.findingHours } as const;

export type Finding = {
  readonly kind: FindingKind;
  /** The deduplication key, the sender or the group that it is about. */
  readonly subject: string;
  /** A sentence; null: it holds no longer for that subject. */
  readonly text: string | null;
};
