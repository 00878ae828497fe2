// On whose clock times are shown. Nothing is computed on it: turns change on the schedule's own.

import { UTC } from '../ui/zones.ts';

type ZoneChoice = { readonly zone: string; readonly of: readonly string[] };
type Known = {
  readonly schedule: string;
  readonly own: string;
  readonly shown: string;
  readonly people: readonly { readonly name: string; readonly timezone?: string }[];
};

/** The schedule's first, then one's own, those of its people and UTC, each once with whose it is. */
export function zoneChoices({ schedule, own, shown, people }: Known, words: { mine: string }) {
  const all = [
    { zone: schedule, of: [] },
    { zone: own, of: [words.mine] },
    ...people.flatMap(({ name, timezone }) =>
      timezone === undefined ? [] : { zone: timezone, of: [name] },
    ),
    { zone: UTC, of: [] },
    { zone: shown, of: [] },
  ];
  return [...Map.groupBy(all, ({ zone }) => zone)].map(
    ([zone, same]): ZoneChoice => ({ zone, of: same.flatMap(({ of }) => of) }),
  );
}

/** isTimeZone() of the declarations needs Temporal, which not all browsers have. */
export function isZone(zone: string | undefined): zone is string {
  try {
    return zone !== undefined && new Intl.DateTimeFormat('en', { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}
