import { type Handoffs, handoffsOf, MIDNIGHT, type Rotation } from './handoffs.ts';
import type { Restriction } from './restriction.ts';
import { dayAt, type IndexedSpan, spanIn, timeOfDay } from './wall-clock.ts';
import { DAY, instantAt, instantOf, type Zone, zoneOf } from './zone.ts';

export type { Rotation };

/** A boundary, and the index into the users of the turn that begins there. */
export type Anchor = {
  readonly at: Temporal.Instant;
  readonly turn: number;
  /** The turn that ends there, if the layer begins with it or an edit found it running. */
  readonly running?: RunningTurn;
};

/** A turn as it was planned when it began: local dates and times, in whatever zone it is now. */
export type RunningTurn = {
  readonly began: string;
  readonly planned_end: string;
  /** Of the rotation by which the end was planned. */
  readonly length: number;
  readonly unit: Rotation['unit'];
};

export type Anchored = Rotation & { readonly anchor: Anchor };

/**
 * Where a layer made at this moment counts from. The first user's turn ends at the first boundary
 * after it; a layer made on a boundary starts with a full turn. Turns are counted on, not modulo
 * the users: with one user the second turn is 1, which is that user again.
 */
export function anchorOf(
  rotation: Rotation,
  timezone: string,
  createdAt: Temporal.Instant,
  restriction?: Restriction,
): Anchor {
  const zone = zoneOf(timezone);
  const created = createdAt.epochMilliseconds;
  const at = firstHandoff(handoffsOf(rotation, zone, restriction), zone, created);
  return { at: instantOf(at), turn: at === created ? 0 : 1 };
}

/** Where a layer counts from whose first user's turn began on a local date. */
export function anchorSince(
  rotation: Rotation & { readonly since: string },
  timezone: string,
  restriction?: Restriction,
): Anchor {
  const handoffs = handoffsOf(rotation, zoneOf(timezone), restriction);
  return { at: instantOf(handoffs.instantOn(dateDay(rotation.since))), turn: 0 };
}

/** The first handoff at or after an instant. */
function firstHandoff(handoffs: Handoffs, zone: Zone, at: number): number {
  // A skipped time may fall on the next day, so the search begins one day early.
  let day = handoffs.onOrAfter(dayAt(zone, at) - 1);
  while (handoffs.instantOn(day) < at) day = handoffs.onOrAfter(day + 1);
  return handoffs.instantOn(day);
}

/**
 * Tells the turn of any instant: its number, counted on from the anchor's own, and its span. A turn
 * that a skipped day has emptied is counted, but no instant lies in it.
 */
export const turnsOf = (
  rotation: Anchored,
  zone: Zone,
  restriction?: Restriction,
): ((at: number) => IndexedSpan) => gridOf(rotation, zone, restriction).turnAt;

export type Grid = {
  readonly turnAt: (at: number) => IndexedSpan;
  /** The local time at which a turn begins. */
  readonly wallOf: (number: number) => number;
};

export function gridOf(
  { anchor, ...rotation }: Anchored,
  zone: Zone,
  restriction?: Restriction,
): Grid {
  const handoffs = handoffsOf(rotation, zone, restriction);
  const first = anchor.at.epochMilliseconds;
  const firstDay = anchorDay(zone, first, timeOfDay(rotation.handoff ?? MIDNIGHT));
  const dayOf = (number: number) => handoffs.turnsAfter(firstDay, number - anchor.turn);
  const begins = (number: number) =>
    number === anchor.turn ? first : handoffs.instantOn(dayOf(number));
  return {
    turnAt(at) {
      // It may be longer than the others, and there is none before it.
      if (at < first && anchor.running)
        return { index: anchor.turn - 1, start: -Infinity, end: first };
      return spanIn(begins, at, anchor.turn + handoffs.turnsUntil(firstDay, dayAt(zone, at)));
    },
    wallOf: (number) => handoffs.wallOn(dayOf(number)),
  };
}

/** A boundary of the same local day and time in another zone. */
export function boundaryIn({ handoff = MIDNIGHT, anchor }: Anchored, from: string, to: string) {
  const time = timeOfDay(handoff);
  const day = anchorDay(zoneOf(from), anchor.at.epochMilliseconds, time);
  return instantOf(instantAt(zoneOf(to), day * DAY + time));
}

const dateDay = (date: string): number =>
  Temporal.Instant.from(`${date}T00:00Z`).epochMilliseconds / DAY;

// A boundary whose time was skipped lies at the end of the gap, which can be the next day.
function anchorDay(zone: Zone, at: number, handoff: number): number {
  const day = dayAt(zone, at);
  return instantAt(zone, (day - 1) * DAY + handoff) === at ? day - 1 : day;
}
