// Times as people read them: on a wall clock, whose zone is named beside.
import { clockIn } from '../../resources/declaration/time-zone.ts';
import { english, type Phrases } from './en.ts';
import { lineOf } from './wording.ts';

/** As `Sat 2026-11-21 09:00`; seconds only where there are any. */
export function wallTime(
  at: Temporal.ZonedDateTime,
  { weekdays }: Pick<Phrases, 'weekdays'> = english,
): string {
  const smallestUnit = at.second === 0 ? 'minute' : 'second';
  const time = at.toPlainTime().toString({ smallestUnit });
  return `${weekdays[at.dayOfWeek - 1]} ${at.toPlainDate()} ${time}`;
}

/** On the clock of a zone, which is named. */
export function timeOf(instant: Temporal.Instant, timezone = 'UTC'): string {
  const local = clockIn(timezone, instant).toPlainDateTime();
  const zone = timezone === 'Etc/UTC' ? 'UTC' : timezone;
  return `${local.toString({ smallestUnit: 'second' }).replace('T', ' ')} ${lineOf(zone)}`;
}

type Clocks = {
  /** Of what it is about. */
  readonly timezone: string;
  /** Of the reader; UTC where it is absent. */
  readonly reader: string | undefined;
  readonly phrases: Phrases;
};

/** An instant, or a span, on the clock of a zone and, if it is another, on that of the reader. */
export function onClocks(
  [start, end]: readonly [Temporal.Instant, Temporal.Instant?],
  { timezone, reader = 'UTC', phrases }: Clocks,
): string {
  const isLike = (zone: string, other: string) =>
    clockIn(zone, start).equals(clockIn(other, start));
  const on = (zone: string) => {
    const first = wallTime(clockIn(zone, start), phrases);
    const text = end ? phrases.shift.span(first, wallTime(clockIn(zone, end), phrases)) : first;
    return `${text} ${isLike(zone, 'UTC') ? 'UTC' : lineOf(zone)}`;
  };
  return isLike(timezone, reader) ? on(timezone) : `${on(timezone)} (${on(reader)})`;
}

export type Reader = { readonly timezone: string; readonly now: Temporal.Instant };

/** As `09:00`, with the day before it unless that is the reader's today. */
export function readTime(at: Temporal.Instant, { timezone, now }: Reader): string {
  const local = clockIn(timezone, at).round({ smallestUnit: 'minute', roundingMode: 'floor' });
  const isToday = local.toPlainDate().equals(clockIn(timezone, now).toPlainDate());
  return isToday ? local.toPlainTime().toString({ smallestUnit: 'minute' }) : wallTime(local);
}

/** As `40 s`, `4 min`, `1 h 20 min`, `2 d 3 h`. */
export function spanText(from: Temporal.Instant, to: Temporal.Instant): string {
  const seconds = Math.max(0, Math.floor(to.since(from).total('seconds')));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return two(`${hours} h`, minutes % 60, 'min');
  return two(`${Math.floor(hours / 24)} d`, hours % 24, 'h');
}

const two = (first: string, rest: number, unit: string) =>
  rest === 0 ? first : `${first} ${rest} ${unit}`;
