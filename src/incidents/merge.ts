// Merging: the merged incident is resolved, and later alerts of its key go to the other incident.
import {
  type Actor,
  entry,
  type Incident,
  type IncidentAlert,
  isOpen,
  type Outcome,
  only,
  type Refused,
} from './incident.ts';
import { type AlertKey, alertsOf, compareAlerts, withAlerts } from './incident-alerts.ts';
import { resolve } from './resolve.ts';

type Merge = { readonly by: Actor; readonly into: Incident };

export function mergeInto(
  incident: Incident,
  event: Merge,
  now: Temporal.Instant,
): Outcome | Refused {
  const { into, by } = event;
  if (into.id === incident.id) return { refused: 'an incident cannot be merged into itself' };
  if (!isOpen(into)) return { refused: `INC-${into.number} is resolved` };
  const resolved = resolve(incident, by, now);
  const merged = entry(incident, 'merged', `${by.name} merged it into INC-${into.number}`, {
    actor: by,
    details: { incident_id: into.id },
  });
  return {
    ...resolved,
    incident: { ...resolved.incident, merged_into_id: into.id },
    entries: [merged],
    // The other incident goes on: people are told that it is over when that one ends.
    allClear: false,
  };
}

/** The other side of a merge: the alerts of the other one are its own from now on. */
export function absorb(incident: Incident, by: Actor, other: Incident): Outcome {
  const alerts = joinedLists(alertsOf(incident), alertsOf(other));
  const is_test = incident.is_test && other.is_test;
  return only(
    { ...(alerts.length === 0 ? incident : withAlerts(incident, alerts)), is_test },
    entry(incident, 'absorbed', `INC-${other.number} was merged into this incident`, {
      actor: by,
      details: { incident_id: other.id },
    }),
  );
}

/** A key that both have is one alert, which fires if either does. */
function joinedLists(
  own: readonly IncidentAlert[],
  others: readonly IncidentAlert[],
): readonly IncidentAlert[] {
  const textOf = ({ integration_id, dedup_key }: AlertKey) => `${integration_id} ${dedup_key}`;
  const byKey = new Map(own.map((one) => [textOf(one), one]));
  for (const one of others) {
    const known = byKey.get(textOf(one));
    byKey.set(textOf(one), known?.state === 'firing' ? known : one);
  }
  return [...byKey.values()].sort(compareAlerts);
}
