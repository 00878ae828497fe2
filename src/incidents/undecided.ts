// When deciding an incident fails by a fault of the program: it is tried again in a minute, and the
// team's admins are paged.

import type { Configuration } from './configuration.ts';
import {
  entry,
  type Incident,
  isDue,
  isOpen,
  minutesAfter,
  type Outcome,
  only,
  withEscalation,
} from './incident.ts';
import { notifyAdmins } from './notify.ts';

const tryAgainMinutes = 1;

/** Says that something about it could not be decided, and changes nothing. */
export const recordUndecided = (incident: Incident, failure: string): Outcome =>
  only(incident, entry(incident, 'undecided', `Could not be processed: ${failure}`));

/** Every timer that is due is due again in a minute. */
export function postpone(incident: Incident, failure: string, now: Temporal.Instant): Outcome {
  const again = minutesAfter(now, tryAgainMinutes);
  const later = <T extends Temporal.Instant | null>(at: T) => (isDue(at, now) ? again : at);
  const { stepAt, takenBy = null, ackTimeoutAt, resolveAt, expiresAt } = incident.escalation;
  const { quietAt } = incident.escalation;
  const waiting = withEscalation(incident, {
    stepAt: later(stepAt),
    takenBy: later(takenBy),
    ackTimeoutAt: later(ackTimeoutAt),
    resolveAt: later(resolveAt),
    expiresAt: later(expiresAt),
    ...(quietAt != null && { quietAt: later(quietAt) }),
  });
  const text = `The step or timer that is due failed and is retried in a minute: ${failure}`;
  return only(
    { ...waiting, muted_until: later(incident.muted_until), updated_at: now },
    entry(incident, 'undecided', text),
  );
}

/** Never silence: the team's admins are paged, once a round, if even they can be notified. */
export function notifyAdminsOfFailure(
  incident: Incident,
  deciding: { readonly configuration: Configuration },
): Outcome {
  if (!isOpen(incident)) return only(incident);
  const why = 'The step or timer that is due failed; you are an admin of the team';
  try {
    const notified = notifyAdmins(incident, deciding.configuration, {
      kind: 'nobody_paged',
      rank: 0,
      why,
    });
    return { ...only(incident), ...notified };
  } catch {
    // What failed may be what they are looked up in; whoever called has logged that.
    return only(incident);
  }
}
