// A storm: from the 20th trigger of one alert within a minute on, triggers are counted instead of
// stored one by one.
import { incidentsLimits } from '../limits/incidents.ts';
import type { DecisionContext } from './configuration.ts';
import { entry, type Incident, isDue, type Outcome, only, withEscalation } from './incident.ts';
import { notifyAdmins } from './notify.ts';

export const stormWindowMs = 60_000;

export const isInStorm = (incident: Incident, now: Temporal.Instant): boolean =>
  incident.escalation.storm !== null && !isDue(incident.escalation.storm.until, now);

/** Enters the storm, and notifies the admins unless they were notified a short time ago. */
export function beginStorm(counted: Incident, eventId: string, context: DecisionContext): Outcome {
  const { now, configuration } = context;
  const storm = { until: now.add({ milliseconds: stormWindowMs }), eventId };
  const incident = withEscalation(counted, { recentTriggers: [], storm });
  const text = `${incidentsLimits.stormTriggers} triggers within a minute: for the next minute they are only counted, not stored one by one`;
  const began = entry(incident, 'storm_began', text);
  const { stormNotifiedAt } = incident.escalation;
  if (
    stormNotifiedAt !== null &&
    !isDue(stormNotifiedAt.add({ minutes: incidentsLimits.stormNoticePause }), now)
  )
    return only(incident, began);
  const why = 'One alert is sent over and over; you are an admin of the team';
  const once = String(now.epochMilliseconds);
  const notified = notifyAdmins(incident, configuration, { kind: 'storm', rank: 2, why, once });
  return {
    incident: withEscalation(incident, { stormNotifiedAt: now }),
    intents: notified.intents,
    entries: [began, ...notified.entries],
    allClear: false,
  };
}
