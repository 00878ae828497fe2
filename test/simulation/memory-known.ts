import { type Key, keyText } from '../../src/engine/ledger.ts';
import { type Incident, isOpen } from '../../src/incidents/incident.ts';
import type { Known } from '../../src/incidents/receive.ts';

/** What is known of each key: open incidents it leads to, and the last one there was. */
export function knownIn(
  incidents: readonly Incident[],
  keys: readonly Key[],
): ReadonlyMap<string, Known> {
  const byId = new Map(incidents.map((incident) => [incident.id, incident]));
  return new Map(
    keys.flatMap((key) => {
      const own = incidents
        .filter(
          (one) =>
            one.source_integration_id === key.integration_id && one.dedup_key === key.dedup_key,
        )
        .sort(byAge);
      const last = own.at(-1);
      if (!last) return [];
      const led = new Set(own.map((one) => endOf(one, byId)));
      const { prioritySetByPerson, severitySetByPerson } = last.escalation;
      const known: Known = {
        open: [...led].filter(isOpen).sort(byAge),
        repeatCount: last.repeat_count + 1,
        repeatedAt: [...last.escalation.repeatedAt, last.created_at.epochMilliseconds],
        carried: {
          priority: prioritySetByPerson ? last.priority : null,
          severity: severitySetByPerson ? last.severity : null,
        },
      };
      return [[keyText(key), known] as const];
    }),
  );
}

/** Where merges lead. */
function endOf(incident: Incident, byId: ReadonlyMap<string, Incident>): Incident {
  const into = incident.merged_into_id === null ? undefined : byId.get(incident.merged_into_id);
  return into ? endOf(into, byId) : incident;
}

const byAge = (a: Incident, b: Incident) => (a.id < b.id ? -1 : 1);
