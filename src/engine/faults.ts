// Faults in a single alert, incident or notice: they are logged and counted, and the others go on.
import type { Log } from './log.ts';

export type Fault = {
  readonly of: 'alert' | 'call' | 'event' | 'incident' | 'notice' | 'post' | 'record' | 'schedule';
  /** Its id, or its key. */
  readonly id: string;
  readonly error: unknown;
};

/** What cannot be read or decided is tried again after this long. */
export const postponeMinutes = 10;

export type Faults = (fault: Fault) => void;

export const createFaultReporter =
  (log: Log, count: (of: Fault['of']) => void): Faults =>
  ({ of, id, error }) => {
    count(of);
    log.error({ err: error, [of]: id }, `one ${of} failed; the others continue`);
  };

/** How much to work on at most; `selected` is called with the ids before the work on them begins. */
export type Batch<Id> = { readonly limit: number; readonly selected: (ids: readonly Id[]) => void };

type Attempt<Id, T> = {
  /** The size of the first batch. */
  readonly limitMax: number;
  /** A text that is unique to the id. */
  readonly name: (id: Id) => string;
  readonly work: (some: Batch<Id>) => Promise<T>;
  /** Sets aside an item that fails alone. */
  readonly blame: (id: Id, error: unknown) => Promise<T>;
};

/**
 * When the work on a batch fails, half of it is tried, down to a single item. An item is to blame
 * after it has failed alone twice, since a fault may be temporary. No item is to blame for a database
 * that cannot be reached.
 */
export async function bisectFailures<Id, T>({
  limitMax,
  name,
  work,
  blame,
}: Attempt<Id, T>): Promise<T> {
  const suspects = new Set<string>();
  let limit = limitMax;
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

/** No item is to blame for this; the loop tries again. */
export const isDatabaseAway = (error: unknown): boolean =>
  error instanceof Error && error.name === 'DatabaseUnavailable';

// PostgreSQL's codes of its statement_timeout and its lock_timeout.
const timeouts = new Set(['57014', '55P03']);

/** Whether a statement took, or waited, longer than its session allows. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && timeouts.has(String(error.code));
