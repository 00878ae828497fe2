// One alert sent over and over: its triggers are counted onto the open incident and, from the
// 20th within a minute, no longer kept one by one.
import type { Directory } from './directory.ts';
import { tellAdmins, withEscalation } from './escalation.ts';
import { entry, type Incident, isDue, type Outcome } from './incident.ts';

export const stormTriggers = 20;
const stormMs = 60_000;
const adminsToldMs = 30 * 60_000;

type Suppressed = { readonly eventId: string; readonly expiresAt: Temporal.Instant | null };
type Context = { readonly directory: Directory; readonly now: Temporal.Instant };

/** A trigger onto an open incident: counted, never paged. */
export function suppress(incident: Incident, event: Suppressed, context: Context): Outcome {
  const at = context.now.epochMilliseconds;
  const { escalation } = incident;
  const counted: Incident = {
    ...withEscalation(incident, { expiresAt: later(escalation.expiresAt, event.expiresAt) }),
    suppressed_count: incident.suppressed_count + 1,
  };
  if (isInStorm(incident, context.now)) return quietly(counted);
  const recent = [...escalation.recentTriggers, at].filter((one) => one > at - stormMs);
  const said = entry(incident, 'suppressed', 'The same alert came again; nobody is paged for it', {
    details: { event_id: event.eventId },
  });
  if (recent.length < stormTriggers)
    return {
      ...quietly(withEscalation(counted, { recentTriggers: recent, storm: null })),
      entries: [said],
    };
  const storm = { until: context.now.add({ milliseconds: stormMs }), eventId: event.eventId };
  const stormy = withEscalation(counted, { recentTriggers: [], storm });
  const announced = announceStorm(stormy, context);
  return { ...announced, entries: [said, ...announced.entries] };
}

export const isInStorm = (incident: Incident, now: Temporal.Instant): boolean =>
  incident.escalation.storm !== null && !isDue(incident.escalation.storm.until, now);

function announceStorm(incident: Incident, context: Context): Outcome {
  const says = `${stormTriggers} triggers within a minute: for a minute more, they are counted instead of kept one by one`;
  const why = 'One alert is sent over and over; you are an admin of the team';
  const once = String(Math.floor(context.now.epochMilliseconds / adminsToldMs));
  const told = tellAdmins(incident, context.directory, { kind: 'storm', rank: 2, why, once });
  const entries = [entry(incident, 'storm_began', says)];
  return { incident, intents: told.intents, entries, allClear: false };
}

const later = (a: Temporal.Instant | null, b: Temporal.Instant | null) =>
  a && b ? (Temporal.Instant.compare(a, b) < 0 ? b : a) : (a ?? b);

const quietly = (incident: Incident): Outcome => ({
  incident,
  intents: [],
  entries: [],
  allClear: false,
});
