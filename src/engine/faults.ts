// What fails alone, so that all others go on: named in the log and counted, never passed over.
import type { Log } from './log.ts';

export type Fault = {
  readonly of: 'alert' | 'call' | 'event' | 'incident' | 'notice' | 'record' | 'schedule';
  /** Its id, or its key. */
  readonly id: string;
  readonly error: unknown;
};

/** What cannot be read or decided is looked at again after this long, not at once. */
export const postponeMinutes = 10;

export type Faults = (fault: Fault) => void;

export const createFaultReporter =
  (log: Log, count: (of: Fault['of']) => void): Faults =>
  ({ of, id, error }) => {
    count(of);
    log.error({ err: error, [of]: id }, `a fault in one ${of}; the others go on`);
  };

/** That many at most are worked on, and which is told as soon as it is known. */
export type Batch<Id> = { readonly limit: number; readonly selected: (ids: readonly Id[]) => void };

type Attempt<Id, T> = {
  /** How many are tried at once. */
  readonly most: number;
  /** Tells one from others. */
  readonly name: (id: Id) => string;
  readonly work: (some: Batch<Id>) => Promise<T>;
  /** One that fails alone: it is put aside. */
  readonly blame: (id: Id, error: unknown) => Promise<T>;
};

/**
 * When the work on many fails as a whole, half of them are tried, down to the one that is to blame.
 * It has failed alone twice then: whatever passes is nobody's fault, and so is a database that is
 * not there.
 */
export async function bisectFailures<Id, T>({
  most,
  name,
  work,
  blame,
}: Attempt<Id, T>): Promise<T> {
  const suspects = new Set<string>();
  let limit = most;
  for (;;) {
    let ids: readonly Id[] = [];
    try {
      const selected = (some: readonly Id[]) => {
        ids = some;
      };
      return await work({ limit, selected });
    } catch (error) {
      const [first] = ids;
      if (first === undefined || isDatabaseAway(error)) throw error;
      if (ids.length === 1) {
        if (suspects.has(name(first))) return await blame(first, error);
        suspects.add(name(first));
      }
      limit = Math.max(1, Math.floor(ids.length / 2));
    }
  }
}

/** Nobody is to blame for it; the loop tries again. */
const isDatabaseAway = (error: unknown): boolean =>
  error instanceof Error && error.name === 'DatabaseUnavailable';
