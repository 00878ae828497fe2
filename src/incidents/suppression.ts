// One alert sent over and over: its triggers are counted onto the open incident and, from the
// 20th within a minute, no longer kept one by one.
import { incidentsLimits } from '../limits/incidents.ts';
import { lastOf } from './actions/remembered.ts';
import type { Configuration } from './configuration.ts';
import { notifyAdmins, withEscalation } from './escalation.ts';
import { after, entry, type Incident, isDue, type Outcome, only } from './incident.ts';

const stormMs = 60_000;

type Suppressed = {
  readonly eventId: string;
  /** The event log tells of it, so the timeline need not. */
  readonly isLogged: boolean;
  readonly expiresAt: Temporal.Instant | null;
  readonly remember: number;
};
type Context = { readonly configuration: Configuration; readonly now: Temporal.Instant };

/** A trigger onto an open incident: counted, never paged. */
export function suppress(incident: Incident, event: Suppressed, context: Context): Outcome {
  const at = context.now.epochMilliseconds;
  const { escalation } = incident;
  const counted: Incident = {
    ...withEscalation(incident, {
      expiresAt: prolonged(escalation.expiresAt, event.expiresAt),
      suppressedAt: lastOf([...escalation.suppressedAt, at], event.remember),
    }),
    suppressed_count: incident.suppressed_count + 1,
  };
  if (isInStorm(incident, context.now)) return only(counted);
  const recent = [...escalation.recentTriggers, at].filter((one) => one > at - stormMs);
  const said = event.isLogged ? [] : [suppressedEntry(incident, event.eventId)];
  if (recent.length < incidentsLimits.stormTriggers)
    return only(withEscalation(counted, { recentTriggers: recent, storm: null }), ...said);
  const storm = { until: context.now.add({ milliseconds: stormMs }), eventId: event.eventId };
  const stormy = withEscalation(counted, { recentTriggers: [], storm });
  const announced = announceStorm(stormy, context);
  return after(said, announced);
}

const suppressedEntry = (incident: Incident, event_id: string) =>
  entry(incident, 'suppressed', 'The same alert came again; nobody is paged for it', {
    details: { event_id },
  });

export const isInStorm = (incident: Incident, now: Temporal.Instant): boolean =>
  incident.escalation.storm !== null && !isDue(incident.escalation.storm.until, now);

function announceStorm(incident: Incident, context: Context): Outcome {
  const { now, configuration } = context;
  const text = `${incidentsLimits.stormTriggers} triggers within a minute: for a minute more, they are counted instead of kept one by one`;
  const began = entry(incident, 'storm_began', text);
  const { stormNotifiedAt } = incident.escalation;
  if (
    stormNotifiedAt !== null &&
    !isDue(stormNotifiedAt.add({ minutes: incidentsLimits.stormNoticePause }), now)
  )
    return only(incident, began);
  const why = 'One alert is sent over and over; you are an admin of the team';
  const once = String(now.epochMilliseconds);
  const told = notifyAdmins(incident, configuration, { kind: 'storm', rank: 2, why, once });
  return {
    incident: withEscalation(incident, { stormNotifiedAt: now }),
    intents: told.intents,
    entries: [began, ...told.entries],
    allClear: false,
  };
}

/** Never shortened; and what was not to expire, such as the target of a merge, stays so. */
const prolonged = (until: Temporal.Instant | null, to: Temporal.Instant | null) =>
  until && to && Temporal.Instant.compare(until, to) < 0 ? to : until;
