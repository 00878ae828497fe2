// The hours of a layer as people read and edit them: windows with the same times are one row with its days.
import type { Window } from './queries.ts';

export const weekdays = [
  ...['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
] as const;

/** On each of its days from one time to another; one that is not later is on the next day. */
export type HoursRow = {
  readonly from: string;
  readonly to: string;
  readonly days: readonly string[];
};
/** A window over several days is no row, and stays as it is written. */
export type Hours = HoursRow | { readonly window: Window };

/** In the order in which they come; a day that comes twice begins another row. */
export function hoursOf(windows: readonly Window[]): readonly Hours[] {
  const hours: Hours[] = [];
  for (const window of windows) {
    if (!isOfRow(window)) {
      hours.push({ window });
      continue;
    }
    const { from_day: day, from_time: from, to_time: to } = window;
    const at = hours.findIndex(
      (one) => 'days' in one && one.from === from && one.to === to && !one.days.includes(day),
    );
    const row = hours[at];
    if (row !== undefined && 'days' in row)
      hours[at] = { ...row, days: inWeek([...row.days, day]) };
    else hours.push({ from, to, days: [day] });
  }
  return hours;
}

const isOfRow = ({ from_day, from_time, to_day, to_time }: Window): boolean =>
  to_day === endDay(from_day, from_time, to_time);

const endDay = (day: string, from: string, to: string): string =>
  isNextDay({ from, to }) ? nextDay(day) : day;

export const isNextDay = ({ from, to }: Pick<HoursRow, 'from' | 'to'>): boolean => to <= from;

/** From midnight to midnight. */
export const isWholeDay = ({ from, to }: Pick<HoursRow, 'from' | 'to'>): boolean =>
  from === '00:00' && to === from;

const inOrder: readonly string[] = weekdays;
export const placeOf = (day: string): number => inOrder.indexOf(day);
const nextDay = (day: string): string => weekdays[(placeOf(day) + 1) % weekdays.length] ?? day;
const inWeek = (days: readonly string[]): readonly string[] =>
  days.toSorted((one, other) => placeOf(one) - placeOf(other));

/**
 * Back again. Those that are the same as were stored are in the order in which they were: the
 * server takes another order for an edit, and pages somebody.
 */
export function windowsOf(
  hours: readonly Hours[],
  stored: readonly Window[] = [],
): readonly Window[] {
  const windows = hours.flatMap((one) =>
    'window' in one ? [one.window] : one.days.map((day) => windowOf(day, one)),
  );
  return isSameSet(windows, stored) ? stored : windows;
}

const windowOf = (day: string, { from, to }: HoursRow): Window => ({
  from_day: day,
  from_time: from,
  to_day: endDay(day, from, to),
  to_time: to,
});

const isSameSet = (one: readonly Window[], other: readonly Window[]): boolean => {
  const sorted = (windows: readonly Window[]) => windows.map(keyOf).sort().join();
  return one.length === other.length && sorted(one) === sorted(other);
};

const keyOf = ({ from_day, from_time, to_day, to_time }: Window): string =>
  [from_day, from_time, to_day, to_time].join(' ');

/** The row with a day more or less. */
export const withDay = (row: HoursRow, day: string, isIn: boolean): HoursRow => ({
  ...row,
  days: isIn ? inWeek([...new Set([...row.days, day])]) : row.days.filter((one) => one !== day),
});

/** What is added in one press. */
export const presets = {
  office: { from: '08:00', to: '17:00', days: weekdays.slice(0, 5) },
  nights: { from: '22:00', to: '06:00', days: weekdays },
  weekend: { from: '00:00', to: '00:00', days: weekdays.slice(5) },
} as const satisfies Readonly<Record<string, HoursRow>>;

/** Over several days, to be changed by whoever adds it. */
export const wholeWeekend: Window = {
  from_day: 'friday',
  from_time: '18:00',
  to_day: 'monday',
  to_time: '08:00',
};
