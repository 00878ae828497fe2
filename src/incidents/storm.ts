// A storm: from the 20th trigger of one alert within a minute on, triggers are counted instead of
// stored one by one.
import { incidentsLimits } from '../limits/incidents.ts';
import type { DecisionContext } from './configuration.ts';
import {
  entry,
  type Incident,
  isDue,
  type OtherStorms,
  type Outcome,
  only,
  withEscalation,
} from './incident.ts';
import { notifyAdmins } from './notify.ts';

export const stormWindowMs = 60_000;

/** The entry by which the storage knows that admins are to be notified. */
export const stormBegan = 'storm_began';

export const isInStorm = (incident: Incident, now: Temporal.Instant): boolean =>
  incident.escalation.storm !== null && !isDue(incident.escalation.storm.until, now);

/** Enters the storm. The admins of the team are notified of all its storms together. */
export function beginStorm(counted: Incident, eventId: string, { now }: DecisionContext): Outcome {
  const storm = { until: now.add({ milliseconds: stormWindowMs }), eventId };
  const incident = withEscalation(counted, { recentTriggers: [], storm });
  const text =
    `${incidentsLimits.stormTriggers} triggers within a minute. For the next minute they are only ` +
    'counted, not stored individually. The team’s admins get one notice about all storms in ' +
    `${incidentsLimits.stormNoticePause} minutes`;
  return only(incident, entry(incident, stormBegan, text));
}

/** Of the incidents of a team that are in a storm, the notice is about one and names the others. */
export function notifyOfStorms(
  incident: Incident,
  others: OtherStorms,
  { now, configuration }: DecisionContext,
): Outcome {
  const { intents, entries } = notifyAdmins(incident, configuration, {
    kind: 'storm',
    rank: 2,
    once: String(now.epochMilliseconds),
    why: 'One alert is being sent repeatedly; you are an admin of the team',
    ...(others.numbers.length > 0 && { otherStorms: others }),
  });
  return { incident, intents, entries, allClear: false };
}
