/** A bounded queue that serves its lines in turn, so that one loud sender does not shut others out. */
export type FairQueue<T> = {
  readonly size: number;
  /** False when it is full, or when this line has more than its share of a full half. */
  push(line: string, item: T): boolean;
  /**
   * Up to `limit` items, shared out among the lines, each in the order it came; none of the lines
   * that are still being served.
   */
  take(limit: number, served?: ReadonlySet<string>): T[];
};

export function createFairQueue<T>(max: number): FairQueue<T> {
  const lines = new Map<string, T[]>();
  let size = 0;

  /** Once half full, no line may hold more than an equal share of what there is. */
  function hasRoom(line: readonly T[] | undefined): boolean {
    if (size >= max) return false;
    if (size < max / 2 || line === undefined || lines.size === 1) return true;
    return line.length < max / lines.size;
  }

  return {
    get size() {
      return size;
    },
    push(name, item) {
      const line = lines.get(name);
      if (!hasRoom(line)) return false;
      if (line) line.push(item);
      else lines.set(name, [item]);
      size += 1;
      return true;
    },
    take(limit, served = new Set()) {
      const taken: T[] = [];
      for (;;) {
        const open = [...lines].filter(([name]) => !served.has(name));
        if (open.length === 0 || taken.length >= limit) break;
        const share = Math.max(1, Math.floor((limit - taken.length) / open.length));
        for (const [name, line] of open) {
          if (taken.length >= limit) break;
          const some = line.splice(0, Math.min(share, limit - taken.length));
          taken.push(...some);
          lines.delete(name);
          // To the back, so that whoever was served waits for the others.
          if (line.length > 0) lines.set(name, line);
        }
      }
      size -= taken.length;
      return taken;
    },
  };
}
