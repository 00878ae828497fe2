import {
  type Group,
  groupText,
  type Key,
  keyText,
  type RawKey,
  rawKeyText,
} from '../../engine/ports/keys.ts';
import {
  byAge,
  fresh,
  type KeyState,
  keyStateAfter,
  withEnds,
} from '../../incidents/alert-context.ts';
import { type Incident, isOpen } from '../../incidents/incident.ts';
import { mayHave } from '../../incidents/incident-alerts.ts';
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
      const joined = incidents.inGroup(alertText(key)).filter(isOpen);
      const led = new Set([...own.map((one) => endOf(one, incidents)), ...joined]);
      const open = [...led].filter((one) => isOpen(one) && mayHave(one, key));
      if (last) return [[keyText(key), keyStateAfter(last, open)] as const];
      return open.length === 0
        ? []
        : [[keyText(key), { ...fresh, open: open.sort(byAge) }] as const];
    }),
  );
}

/** Of a key, the incidents of which it is one of several alerts. */
export const alertText = (key: Pick<Key, 'integration_id' | 'dedup_key'>): string =>
  `alert ${keyText(key)}`;

/** Open incidents that alerts of the groups may join, the newest first. */
export const groupsIn = (
  incidents: KnownRows,
  groups: readonly Group[],
): ReadonlyMap<string, readonly Incident[]> =>
  new Map(
    groups.flatMap((group) => {
      const text = groupText(group);
      const open = incidents.inGroup(text).filter(isOpen);
      return open.length === 0 ? [] : [[text, open.toSorted((a, b) => b.number - a.number)]];
    }),
  );

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
