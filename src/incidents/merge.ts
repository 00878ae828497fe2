// Merging: the merged incident is resolved, and later alerts of its key go to the other incident.
import {
  type Actor,
  entry,
  type Incident,
  isOpen,
  type Outcome,
  only,
  type Refused,
} from './incident.ts';
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

/** The other side of a merge. */
export const absorb = (incident: Incident, by: Actor, other: Incident): Outcome =>
  only(
    incident,
    entry(incident, 'absorbed', `INC-${other.number} was merged into this incident`, {
      actor: by,
      details: { incident_id: other.id },
    }),
  );
