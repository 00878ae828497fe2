import { dateOf, instantOf, weekdayOnOrBefore } from './wall-clock.ts';

/** How turns change; days ignore `handoff_day`. */
export type Rotation = {
  readonly length: number;
  readonly unit: 'days' | 'weeks';
  readonly handoff?: string;
  readonly handoff_day?: string;
};

/** A boundary, and the index into the users of the turn that begins there. */
export type Anchor = { readonly at: Temporal.Instant; readonly turn: number };

const DAYS_PER_WEEK = 7;

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
  const step = rotation.unit === 'weeks' ? DAYS_PER_WEEK : 1;
  const today = dateOf(createdAt, timezone);
  const day =
    rotation.unit === 'weeks' ? weekdayOnOrBefore(today, rotation.handoff_day ?? 'monday') : today;
  // A skipped time may fall on the next day, so the search begins one step early.
  for (let date = day.subtract({ days: step }); ; date = date.add({ days: step })) {
    const at = instantOf(date, rotation.handoff, timezone);
    const order = Temporal.Instant.compare(at, createdAt);
    if (order === 0) return { at, turn: 0 };
    if (order > 0) return { at, turn: 1 };
  }
}

/** The number of the turn at an instant, counted from the anchor's own. */
export function turnAt(
  rotation: Rotation & { readonly anchor: Anchor },
  timezone: string,
  at: Temporal.Instant,
): number {
  const { anchor } = rotation;
  const days = rotation.unit === 'weeks' ? rotation.length * DAYS_PER_WEEK : rotation.length;
  const start = anchorDate(rotation, timezone);
  const begins = (turns: number): Temporal.Instant =>
    turns === 0
      ? anchor.at
      : instantOf(start.add({ days: turns * days }), rotation.handoff, timezone);
  let turns = Math.floor(start.until(dateOf(at, timezone)).days / days);
  // The estimate by whole days is off by one at most, by two across a skipped day.
  while (Temporal.Instant.compare(begins(turns), at) > 0) turns -= 1;
  while (Temporal.Instant.compare(begins(turns + 1), at) <= 0) turns += 1;
  return anchor.turn + turns;
}

// A boundary whose time was skipped lies at the end of the gap, which can be the next day.
function anchorDate(
  rotation: Rotation & { readonly anchor: Anchor },
  timezone: string,
): Temporal.PlainDate {
  const { at } = rotation.anchor;
  const date = dateOf(at, timezone);
  const before = date.subtract({ days: 1 });
  return instantOf(before, rotation.handoff, timezone).equals(at) ? before : date;
}
