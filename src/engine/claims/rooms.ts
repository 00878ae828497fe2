// How many more of what is claimed may begin, by name: an organization, a channel, a recipient. Nobody
// has more than they leave for the others (decision 0032).

/** How many more may begin, by name; `each` is for names that are not in `of`. */
export type Rooms = { readonly each: number; readonly of: ReadonlyMap<string, number> };

/** Room for any number of each. */
export const anyNumber: Rooms = { each: Number.POSITIVE_INFINITY, of: new Map() };

/** How many are in progress, by name. */
export class Counts {
  readonly #of = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(name: string): number {
    return this.#of.get(name) ?? 0;
  }

  add(name: string, by: 1 | -1): void {
    this.#total += by;
    const sum = this.of(name) + by;
    if (sum > 0) this.#of.set(name, sum);
    else this.#of.delete(name);
  }

  /** Those of which any is in progress. */
  entries(): readonly (readonly [string, number])[] {
    return [...this.#of];
  }

  atLeast(count: number): ReadonlySet<string> {
    return new Set(this.entries().flatMap(([name, own]) => (own >= count ? [name] : [])));
  }

  /** At most `max` of each name. */
  roomsUpTo(max: number): Rooms {
    const of = new Map(this.entries().map(([name, own]) => [name, Math.max(0, max - own)]));
    return { each: max, of };
  }

  /** Of `max` in all, each name may have as many as stay free; one more reduces that by two. */
  roomsLeaving(max: number): Rooms {
    const free = max - this.#total;
    const room = (own: number) => Math.max(0, Math.floor((free - own + 1) / 2));
    return { each: room(0), of: new Map(this.entries().map(([name, own]) => [name, room(own)])) };
  }
}

/** Keeps the first rows of each name, as many as there is room for, and all rows without a name. */
export function within<Row>(
  rooms: Rooms,
  nameOf: (row: Row) => string | null,
): (row: Row) => boolean {
  const counts = new Map<string, number>();
  return (row) => {
    const name = nameOf(row);
    if (name === null) return true;
    const before = counts.get(name) ?? 0;
    counts.set(name, before + 1);
    return before < (rooms.of.get(name) ?? rooms.each);
  };
}
