// Work that waits until no server of the release before is connected.
import type { Clock } from './clock.ts';
import type { Transactor } from './ledger.ts';

export type Servers = {
  /** One of the release before is connected. */
  readonly older: boolean;
  /** Since when the first of the others is; null: none is. Each loses its connection with the database. */
  readonly since: Temporal.Instant | null;
};

export type ServersTx = { connectedServers(): Promise<Servers> };

type UpgradeOptions = { readonly ledger: Transactor<ServersTx>; readonly clock: Clock };

/** For a loop. */
export type UpgradeWork = {
  readonly next: () => Promise<Temporal.Instant>;
  readonly work: () => Promise<number>;
};

/** Servers that lost the database are connected again by then. */
const BETWEEN_CHECKS = { minutes: 1 } as const;

/**
 * Checks every minute, and does the work once two checks saw no server of the release before; at
 * once again if the work answers that there is more.
 */
export function afterOlderServers(
  { ledger, clock }: UpgradeOptions,
  upgrade: () => Promise<boolean>,
): UpgradeWork {
  let dueAt = clock.now();
  let first: { readonly at: Temporal.Instant; readonly since: Servers['since'] } | null = null;
  return {
    next: async () => dueAt,
    async work() {
      const before = first;
      // If the database cannot be reached, checks before that do not count.
      first = null;
      dueAt = clock.now();
      const { older, since } = await ledger.transact((tx) => tx.connectedServers());
      const now = clock.now();
      dueAt = now.add(BETWEEN_CHECKS);
      if (older) return 1;
      // If the database was lost since, servers of the release before may not have returned yet.
      const isSame = before !== null && isEqual(before.since, since);
      const seen = isSame ? before : { at: now, since };
      const may = seen.at.add(BETWEEN_CHECKS);
      const isEarly = Temporal.Instant.compare(now, may) < 0;
      if (isEarly) dueAt = may;
      const hasMore = isEarly ? false : await upgrade();
      first = seen;
      if (hasMore) dueAt = clock.now();
      return 1;
    },
  };
}

const isEqual = (one: Temporal.Instant | null, other: Temporal.Instant | null): boolean =>
  one === null || other === null ? one === other : one.equals(other);
