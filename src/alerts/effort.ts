// How much work it may take to read an event, and to ask rules about it. It is counted, not timed,
// so that an event is read alike by every server and every time. All of it is synchronous: there is
// one count.

let left = Number.POSITIVE_INFINITY;

export class TooMuchWork extends Error {
  constructor() {
    super('it takes too much work for this event');
  }
}

/** Units of at most 70 ns. Throws a TooMuchWork when the work may take no more. */
export function spend(units: number): void {
  left -= units;
  if (left < 0) throw new TooMuchWork();
}

/** Whether what surrounds the bound that was just exceeded may take no more either. */
export const isSpent = (): boolean => left < 0;

/** Without this, work is not bounded. What is inside of another bound is part of its work. */
export function bounded<Result>(most: number, work: () => Result): Result {
  const before = left;
  const begun = Math.min(most, before);
  left = begun;
  try {
    return work();
  } finally {
    left = before - (begun - left);
  }
}

/** Null: it takes more work than that, or than what surrounds it may take. */
export function within<Result>(work: () => Result, most = Number.POSITIVE_INFINITY): Result | null {
  try {
    return bounded(most, work);
  } catch (error) {
    if (error instanceof TooMuchWork) return null;
    throw error;
  }
}

/** With the units that it takes. */
export function measured<Result>(work: () => Result): {
  readonly result: Result;
  readonly units: number;
} {
  return bounded(Number.MAX_SAFE_INTEGER, () => {
    const before = left;
    const result = work();
    return { result, units: before - left };
  });
}

export const workOf = (work: () => unknown): number => measured(work).units;
