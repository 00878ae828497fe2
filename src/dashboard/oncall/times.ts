// Times for people, on the clock of a zone.
import { clock } from '../ui/clock-time.ts';
import { dayOf, type Span, type Whole } from './axis.ts';
import { words } from './words.ts';

type Fields = Intl.DateTimeFormatOptions;
const cached = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string, fields: Fields): Intl.DateTimeFormat {
  const key = JSON.stringify([zone, fields]);
  const known = cached.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat(undefined, { timeZone: zone, ...fields });
  cached.set(key, format);
  return format;
}

const WEEK_AHEAD = 6;

export const clockText = (zone: string, at: number) => formatOf(zone, clock).format(at);

/** As short as it is clear: `18:00` today, `Sat 09:00` within days, else with the date. */
export function whenText(zone: string, at: number, now: number): string {
  const days = dayOf(zone, at) - dayOf(zone, now);
  if (days === 0) return clockText(zone, at);
  if (days > 0 && days <= WEEK_AHEAD)
    return formatOf(zone, { weekday: 'short', ...clock }).format(at);
  return fullText(zone, at, now);
}

/** With weekday and date; with the year where it is another one. */
export function fullText(zone: string, at: number, now: number): string {
  const year = (ms: number) => formatOf(zone, { year: 'numeric' }).format(ms);
  return formatOf(zone, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(year(at) !== year(now) && { year: 'numeric' }),
    ...clock,
  }).format(at);
}

/** From when to when: the end as short as it is clear beside the start. */
export const spanText = (zone: string, { start, end }: Whole, now: number): string =>
  end === null
    ? words.noEnd(fullText(zone, start, now))
    : `${fullText(zone, start, now)} – ${whenText(zone, end, start)}`;

export const weekdayText = (zone: string, at: number, weekday: 'short' | 'narrow' = 'short') =>
  formatOf(zone, { weekday }).format(at);
export const dayText = (zone: string, at: number) => formatOf(zone, { day: 'numeric' }).format(at);
export const dateText = (zone: string, at: number) =>
  formatOf(zone, { weekday: 'short', day: 'numeric', month: 'short' }).format(at);
export const monthText = (zone: string, at: number) =>
  formatOf(zone, { month: 'long', year: 'numeric' }).format(at);

/** The days of an axis, such as `Nov 30 – Dec 6`. */
export const daysText = (zone: string, { start, end }: Span): string =>
  formatOf(zone, { day: 'numeric', month: 'short' }).formatRange(start, end - 1);
