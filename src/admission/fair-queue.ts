// A queue with one sub-queue per key (an integration, an organisation), served in turn, so that one
// busy sender does not delay the others.

export type FairQueue<T> = {
  readonly size: number;
  /** The sum over all its items. */
  readonly weight: number;
  push(key: string, item: T): void;
  /**
   * Removes and returns items that weigh up to `limit` together, shared out among the keys, each in
   * the order of arrival. Keys in `excluded` are left out. One item heavier than the limit is
   * returned whole.
   */
  take(limit: number, excluded?: ReadonlySet<string>): T[];
};

/** Without `weightOf` each item weighs 1; no item weighs less. */
export function createFairQueue<T>(weightOf: (item: T) => number = () => 1): FairQueue<T> {
  const queues = new Map<string, T[]>();
  let size = 0;
  let weight = 0;

  return {
    get size() {
      return size;
    },
    get weight() {
      return weight;
    },
    push(key, item) {
      const queue = queues.get(key);
      if (queue) queue.push(item);
      else queues.set(key, [item]);
      size += 1;
      weight += weightOf(item);
    },
    take(limit, excluded = new Set()) {
      const items: T[] = [];
      let room = limit;
      for (;;) {
        const open = [...queues].filter(([key]) => !excluded.has(key));
        if (open.length === 0 || room <= 0) break;
        const share = Math.max(1, Math.floor(room / open.length));
        for (const [key, queue] of open) {
          if (room <= 0) break;
          const next = queue.splice(0, countUpTo(Math.min(share, room), queue, weightOf));
          items.push(...next);
          room -= next.reduce((sum, item) => sum + weightOf(item), 0);
          queues.delete(key);
          // Moved to the back, so that the other keys come first the next time.
          if (queue.length > 0) queues.set(key, queue);
        }
      }
      size -= items.length;
      weight -= limit - room;
      return items;
    },
  };
}

/** How many of the first items weigh no more than `limit` together; at least one. */
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
