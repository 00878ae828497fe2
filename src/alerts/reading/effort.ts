// How much work it may take to read an event by a mapping. It is counted, not timed, so that an event
// is read alike by every server and every time. Reading is synchronous: there is one count.

let left = Number.POSITIVE_INFINITY;

export class TooMuchWork extends Error {
  constructor() {
    super('it takes too much work on this event');
  }
}

/** Units of about 20 to 70 ns. Throws a TooMuchWork when the work may take no more. */
export function spend(units: number): void {
  left -= units;
  if (left < 0) throw new TooMuchWork();
}

/** Without this, work is not bounded: that of types is tested. */
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
