export type Gate = <Value>(work: () => Promise<Value>) => Promise<Value>;

/** Lets at most so many works run at once; the others wait, first come first served. */
export function createGate(atOnceMax: number): Gate {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    // Whoever leaves hands its place on, so that nobody slips in between.
    if (running < atOnceMax) running += 1;
    else await new Promise<void>((enter) => waiting.push(enter));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
