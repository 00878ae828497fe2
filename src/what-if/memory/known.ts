import { type Key, keyText, type RawKey, rawKeyText } from '../../engine/ports/keys.ts';
import { byAge, type KeyState, keyStateAfter, withEnds } from '../../incidents/alert-context.ts';
import { type Incident, isOpen } from '../../incidents/incident.ts';
import type { KeyEnd } from '../../incidents/key-end.ts';
import type { RawKeyState } from '../../incidents/raw-keys.ts';
import type { Table } from './table.ts';

/** The incidents by id, by key, and by the incident into which they were merged. */
export type KnownRows = Pick<Table<Incident>, 'get' | 'inGroup'>;

/** What is known of each key: open incidents it leads to, and the last one there was. */
export function knownIn(
  incidents: KnownRows,
  keys: readonly Key[],
  all: ReadonlyMap<string, KeyEnd> = new Map(),
): ReadonlyMap<string, KeyState> {
  const ends = keys.flatMap((key) => {
    const end = key.isTimed && all.get(keyText(key));
    return end ? [[keyText(key), end] as const] : [];
  });
  return withEnds(statesIn(incidents, keys), new Map(ends));
}

function statesIn(incidents: KnownRows, keys: readonly Key[]): ReadonlyMap<string, KeyState> {
  return new Map(
    keys.flatMap((key) => {
      const own = [...incidents.inGroup(keyText(key))].sort(byAge);
      const last = own.at(-1);
      if (!last) return [];
      const led = new Set(own.map((one) => endOf(one, incidents)));
      return [[keyText(key), keyStateAfter(last, [...led].filter(isOpen))] as const];
    }),
  );
}

/** The same of raw keys. */
export function knownRawIn(
  incidents: KnownRows,
  keys: readonly RawKey[],
): ReadonlyMap<string, RawKeyState> {
  return new Map(
    keys.map((key) => {
      const own = incidents.inGroup(rawKeyText(key));
      const led = new Set(own.map((one) => endOf(one, incidents)));
      const resolved = own.flatMap(({ resolved_at }) => resolved_at ?? []);
      const state = {
        open: [...led].filter(isOpen).sort(byAge),
        lastResolvedAt: resolved.sort(Temporal.Instant.compare).at(-1) ?? null,
      };
      return [rawKeyText(key), state];
    }),
  );
}

/** The incident at the end of its merges. */
export function endOf(incident: Incident, all: KnownRows): Incident {
  const into = incident.merged_into_id === null ? undefined : all.get(incident.merged_into_id);
  return into ? endOf(into, all) : incident;
}

/** All that lead to it by merges, the one with the lowest number first. */
export const mergedInto = (incident: Incident, all: Table<Incident>): readonly Incident[] =>
  all
    .inGroup(incident.id)
    .flatMap((one) => [one, ...mergedInto(one, all)])
    .sort(byAge);
