// Suppression: a trigger whose deduplication key has an open incident is counted onto that incident,
// and pages nobody.

import type { AlertEvent } from '../alerts/alert.ts';
import { incidentsLimits } from '../limits/incidents.ts';
import type { DecisionContext } from './configuration.ts';
import {
  after,
  entry,
  type Incident,
  lastTimes,
  type Outcome,
  only,
  withEscalation,
} from './incident.ts';
import { lastSourceTimeOf } from './lateness.ts';
import { heard } from './missed-events.ts';
import { sendersWith } from './prometheus-direct.ts';
import { type Reported, raise } from './raise-severity.ts';
import { beginStorm, isInStorm, stormWindowMs } from './storm.ts';
import { reportersWith } from './two-senders.ts';

type Suppressed = {
  readonly alert: Reported & Pick<AlertEvent, 'sourceTime' | 'direct' | 'raw_key' | 'reporter'>;
  readonly eventId: string;
  /** The event log tells of it, so the timeline need not. */
  readonly isLogged: boolean;
  readonly expiresAt: Temporal.Instant | null;
  readonly remember: number;
};

/** A trigger onto an open incident: counted, never paged. One that is worse raises the incident. */
export function suppress(incident: Incident, event: Suppressed, context: DecisionContext): Outcome {
  const raised = raise(incident, event.alert, event.eventId);
  if (raised === null) return count(incident, event, context);
  // It is logged even in a storm, which goes on.
  const isCounted = isInStorm(incident, context.now) && !event.isLogged;
  const counted = count(raised.incident, event, context);
  const logged = isCounted ? [suppressedEntry(incident, event.eventId)] : [];
  return { ...counted, entries: [...logged, ...counted.entries, ...raised.entries] };
}

function count(incident: Incident, event: Suppressed, context: DecisionContext): Outcome {
  const at = context.now.epochMilliseconds;
  const { escalation } = incident;
  const counted: Incident = {
    ...withEscalation(incident, {
      ...withSourceTime(incident, event.alert),
      ...sendersWith(escalation.senders, event.alert.direct, context.now),
      ...reportersWith(escalation.reporters, event.alert),
      ...heard(incident, event.expiresAt, context.now),
      suppressedAt: lastTimes([...escalation.suppressedAt, at], event.remember),
    }),
    ...rawKeyWith(incident, event.alert),
    suppressed_count: incident.suppressed_count + 1,
  };
  if (isInStorm(incident, context.now)) return only(counted);
  const recent = [...escalation.recentTriggers, at].filter((one) => one > at - stormWindowMs);
  const entries = event.isLogged ? [] : [suppressedEntry(incident, event.eventId)];
  if (recent.length < incidentsLimits.stormTriggers)
    return only(withEscalation(counted, { recentTriggers: recent, storm: null }), ...entries);
  return after(entries, beginStorm(counted, event.eventId, context));
}

function withSourceTime(incident: Incident, alert: Suppressed['alert']) {
  const lastSourceTime = lastSourceTimeOf(incident, alert);
  return lastSourceTime === undefined ? {} : { lastSourceTime };
}

/** The first one stays. Of what was merged into it, the keys are not its own. */
const rawKeyWith = (
  { raw_key: known, dedup_key }: Incident,
  alert: Suppressed['alert'],
): Pick<Incident, 'raw_key'> =>
  known == null && alert.raw_key !== undefined && alert.dedup_key === dedup_key
    ? { raw_key: alert.raw_key }
    : {};

const suppressedEntry = (incident: Incident, event_id: string) =>
  entry(incident, 'suppressed', 'The same alert arrived again, so nobody is paged for it', {
    details: { event_id },
  });
