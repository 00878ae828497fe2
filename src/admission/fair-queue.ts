// A queue that serves its lines in turn, so that one loud sender does not hold others up.

export type FairQueue<T> = {
  readonly size: number;
  /** Of all its items. */
  readonly weight: number;
  push(line: string, item: T): void;
  /**
   * Items that weigh up to `limit`, shared out among the lines, each in the order it came; none of
   * the lines that are still being served. An item that weighs more than the rest is taken whole.
   */
  take(limit: number, served?: ReadonlySet<string>): T[];
};

/** Each item weighs 1 unless told, and never less. */
export function createFairQueue<T>(weightOf: (item: T) => number = () => 1): FairQueue<T> {
  const lines = new Map<string, T[]>();
  let size = 0;
  let weight = 0;

  return {
    get size() {
      return size;
    },
    get weight() {
      return weight;
    },
    push(name, item) {
      const line = lines.get(name);
      if (line) line.push(item);
      else lines.set(name, [item]);
      size += 1;
      weight += weightOf(item);
    },
    take(limit, served = new Set()) {
      const taken: T[] = [];
      let room = limit;
      for (;;) {
        const open = [...lines].filter(([name]) => !served.has(name));
        if (open.length === 0 || room <= 0) break;
        const share = Math.max(1, Math.floor(room / open.length));
        for (const [name, line] of open) {
          if (room <= 0) break;
          const some = line.splice(0, countUpTo(Math.min(share, room), line, weightOf));
          taken.push(...some);
          room -= some.reduce((sum, item) => sum + weightOf(item), 0);
          lines.delete(name);
          // To the back, so that whoever was served waits for the others.
          if (line.length > 0) lines.set(name, line);
        }
      }
      size -= taken.length;
      weight -= limit - room;
      return taken;
    },
  };
}

/** How many from the start on weigh no more than that together; one at least. */
export function countUpTo<T>(
  limit: number,
  items: readonly T[],
  weightOf: (item: T) => number,
): number {
  let weight = 0;
  const end = items.findIndex((item) => {
    weight += weightOf(item);
    return weight > limit;
  });
  return end < 0 ? items.length : Math.max(1, end);
}
