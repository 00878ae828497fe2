// The hours of a layer in a few words, such as `Mon–Fri 8:00 AM–5:00 PM`.
import { clockTime } from '../ui/clock-time.ts';
import { type Hours, hoursOf, isWholeDay, placeOf, weekdays } from './hours.ts';
import type { Window } from './queries.ts';
import { hoursWords as words } from './words.ts';

/** Everything that is written, in its order. */
export const hoursText = (windows: readonly Window[]): string =>
  hoursOf(windows).map(textOf).join(', ');

function textOf(hours: Hours): string {
  if ('window' in hours) return spanText(hours.window);
  const { from, to, days } = hours;
  const isEveryDay = days.length === weekdays.length;
  if (isWholeDay(hours)) return isEveryDay ? words.everyDay : daysText(days);
  const span = `${clockTime(from)}–${clockTime(to)}`;
  return isEveryDay ? span : `${daysText(days)} ${span}`;
}

const spanText = ({ from_day, from_time, to_day, to_time }: Window): string =>
  `${dayText(from_day)} ${clockTime(from_time)} – ${dayText(to_day)} ${clockTime(to_time)}`;

/** Three days in a row or more are from the first to the last. */
function daysText(days: readonly string[]): string {
  const runs: string[][] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run !== undefined && placeOf(run.at(-1) ?? '') + 1 === placeOf(day)) run.push(day);
    else runs.push([day]);
  }
  return runs
    .flatMap((run) =>
      run.length < 3 ? run.map(dayText) : `${dayText(run[0])}–${dayText(run.at(-1))}`,
    )
    .join(', ');
}

export const dayText = (day = ''): string => words.short[day] ?? day;
