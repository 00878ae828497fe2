// Notices that cannot be read, sent or recorded wait, each for itself: whoever repairs the row, or the
// program, finds them still there. After a day they are abandoned.
import { type Entry, isSooner, minutesAfter } from '../../incidents/incident.ts';
import { byChannel } from '../../resources/channels.ts';
import { postponeMinutes } from '../faults.ts';
import { failureOf } from '../log.ts';
import type { UnreadableNotice } from '../ports/sending.ts';

const abandonedAfter = { hours: 24 } as const;

export type BrokenNotice = {
  readonly row: UnreadableNotice & {
    /** Why it was postponed before. */
    readonly reason: string | null;
    readonly created_at: Temporal.Instant;
  };
  readonly error: unknown;
};

export type Postponement = {
  readonly reason: string;
  /** It was not known to be broken. */
  readonly isNew: boolean;
  /** Null: it is abandoned. */
  readonly wakeAt: Temporal.Instant | null;
  /** One when it is postponed for the first time, and one when it is abandoned; else null. */
  readonly entry: (Entry & { readonly organization_id: string }) | null;
};

export function postponementOf({ row, error }: BrokenNotice, now: Temporal.Instant): Postponement {
  const reason = `could not be sent, or recorded as sent: ${failureOf(error)}`;
  const isNew = row.reason !== reason;
  const isAbandoned = isSooner(row.created_at, now.subtract(abandonedAfter));
  const wakeAt = isAbandoned ? null : minutesAfter(now, postponeMinutes);
  const { incident_id, organization_id, channel, key } = row;
  if (incident_id === null || !(isNew || isAbandoned))
    return { reason, isNew, wakeAt, entry: null };
  const text = `A notice ${byChannel(channel)} ${reason}; it ${isAbandoned ? 'was abandoned' : 'waits'}`;
  const details = { key };
  const entry = { organization_id, incident_id, type: 'undecided', text, actor: null, details };
  return { reason, isNew, wakeAt, entry };
}
