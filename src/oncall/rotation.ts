import {
  DAYS_PER_WEEK,
  dayAt,
  type IndexedSpan,
  spanIn,
  timeOfDay,
  weekdayOnOrBefore,
} from './wall-clock.ts';
import { DAY, instantAt, instantOf, type Zone, zoneOf } from './zone.ts';

/** How turns change; days ignore `handoff_day`. */
export type Rotation = {
  readonly length: number;
  readonly unit: 'days' | 'weeks';
  readonly handoff?: string;
  readonly handoff_day?: string;
};

/** A boundary, and the index into the users of the turn that begins there. */
export type Anchor = { readonly at: Temporal.Instant; readonly turn: number };

const MIDNIGHT = '00:00';

/**
 * Where a layer made at this moment counts from. The first user's turn ends at the first boundary
 * after it; a layer made on a boundary starts with a full turn. Turns are counted on, not modulo
 * the users: with one user the second turn is 1, which is that user again.
 */
export function anchorOf(
  rotation: Rotation,
  timezone: string,
  createdAt: Temporal.Instant,
): Anchor {
  const zone = zoneOf(timezone);
  const created = createdAt.epochMilliseconds;
  const isWeekly = rotation.unit === 'weeks';
  const step = isWeekly ? DAYS_PER_WEEK : 1;
  const today = dayAt(zone, created);
  const start = isWeekly ? weekdayOnOrBefore(today, rotation.handoff_day ?? 'monday') : today;
  const handoff = timeOfDay(rotation.handoff ?? MIDNIGHT);
  // A skipped time may fall on the next day, so the search begins one step early.
  for (let day = start - step; ; day += step) {
    const at = instantAt(zone, day * DAY + handoff);
    if (at >= created) return { at: instantOf(at), turn: at === created ? 0 : 1 };
  }
}

/**
 * Tells the turn of any instant: its number, counted on from the anchor's own, and its span. A turn
 * that a skipped day has emptied is counted, but no instant lies in it.
 */
export function turnsOf(
  rotation: Rotation & { readonly anchor: Anchor },
  zone: Zone,
): (at: number) => IndexedSpan {
  const { anchor, length, unit } = rotation;
  const days = unit === 'weeks' ? length * DAYS_PER_WEEK : length;
  const handoff = timeOfDay(rotation.handoff ?? MIDNIGHT);
  const first = anchor.at.epochMilliseconds;
  const firstDay = anchorDay(zone, first, handoff);
  const begins = (number: number) =>
    number === anchor.turn
      ? first
      : instantAt(zone, (firstDay + (number - anchor.turn) * days) * DAY + handoff);
  return (at) => spanIn(begins, at, anchor.turn + Math.floor((dayAt(zone, at) - firstDay) / days));
}

/** A boundary of the same local day and time in another zone. */
export function boundaryIn(
  { handoff = MIDNIGHT, anchor }: Rotation & { readonly anchor: Anchor },
  from: string,
  to: string,
): Temporal.Instant {
  const time = timeOfDay(handoff);
  const day = anchorDay(zoneOf(from), anchor.at.epochMilliseconds, time);
  return instantOf(instantAt(zoneOf(to), day * DAY + time));
}

// A boundary whose time was skipped lies at the end of the gap, which can be the next day.
function anchorDay(zone: Zone, at: number, handoff: number): number {
  const day = dayAt(zone, at);
  return instantAt(zone, (day - 1) * DAY + handoff) === at ? day - 1 : day;
}
