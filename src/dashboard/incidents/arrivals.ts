// Nothing moves under pointer, finger or focus: while the reader is at the list, what is new waits
// aside, and what has left stays in its place. Only what a row says changes.

import { words } from './words.ts';

type Row = { readonly id: string; readonly updated_at: string; readonly group: string };

export type Shown<R extends Row> = {
  readonly rows: readonly R[];
  /** How many are not shown yet. */
  readonly waiting: number;
  /** Shown, but in the list no more; and whether it is known what became of each. */
  readonly gone: Gone;
};

export type Gone = ReadonlyMap<string, { readonly isKnown: boolean }>;

const none: Gone = new Map();

/** `left`: those that are known to have left the list, as they are now. */
export function merge<R extends Row>(
  before: readonly R[],
  latest: readonly R[],
  isHeld: boolean,
  left: readonly R[] = [],
): Shown<R> {
  if (!isHeld || before.length === 0) return { rows: latest, waiting: 0, gone: none };
  const byId = new Map(latest.map((row) => [row.id, row]));
  const leftById = new Map(left.map((row) => [row.id, row]));
  const known = new Set(before.map(({ id }) => id));
  // What was loaded below the last row was asked for.
  const below = latest.slice(latest.findLastIndex(({ id }) => known.has(id)) + 1);
  return {
    rows: [...before.map((row) => newer(row, byId.get(row.id) ?? leftById.get(row.id))), ...below],
    waiting: latest.filter(({ id }) => !known.has(id)).length - below.length,
    gone: new Map(
      before.filter(({ id }) => !byId.has(id)).map(({ id }) => [id, { isKnown: leftById.has(id) }]),
    ),
  };
}

/** In its place. An answer that was overtaken by another does not bring back what was. */
function newer<R extends Row>(shown: R, latest: R | undefined): R {
  if (latest === undefined || latest.updated_at < shown.updated_at) return shown;
  return latest.group === shown.group ? latest : { ...latest, group: shown.group };
}

/** Those of a list's first page that are not shown elsewhere yet, and how many there are. */
export function restOf<R extends { readonly id: string }>(
  { incidents, next_cursor }: { incidents: readonly R[]; next_cursor: string | null },
  gone: Gone,
) {
  const rest = incidents.filter(({ id }) => !gone.has(id));
  return { incidents: rest, count: words.count(rest.length, next_cursor === null) };
}

type Numbered = { readonly id: string; readonly number: number };

/** How many are new. What stands below all that was there may only have been loaded: unless it opened since. */
export function arrivedIn(before: readonly Numbered[], latest: readonly Numbered[]): number {
  const known = new Set(before.map(({ id }) => id));
  const last = latest.findLastIndex(({ id }) => known.has(id));
  const newest = before.reduce((most, { number }) => Math.max(most, number), 0);
  return latest.filter(
    ({ id, number }, index) => !known.has(id) && (index < last || number > newest),
  ).length;
}
