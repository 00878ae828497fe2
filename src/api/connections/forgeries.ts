// Requests in a connection's name that its vendor has not signed. They cost no look-up of the connection
// once they are many, and refuse nothing that is rightly signed: vendors call for many organizations
// from the same addresses.
import type { Clock } from '../../engine/clock.ts';
import { accessLimits } from '../../limits/access.ts';
import { memoryLimits } from '../../limits/memory.ts';
import { createMisses } from '../http/guesses.ts';

export type Forgeries<Connection> = {
  /** The connection as it was in this second, where an address has forged many for it; else null. */
  knownAt(address: string, id: string): Connection | null;
  count(address: string, id: string, connection: Connection): void;
};

export function createForgeries<Connection>(clock: Clock): Forgeries<Connection> {
  const misses = createMisses(clock);
  const known = new Map<string, Connection>();
  const keyOf = (address: string, id: string) => `${address} ${id}`;
  return {
    knownAt(address, id) {
      const key = keyOf(address, id);
      return misses.of(key) >= accessLimits.guesses ? (known.get(key) ?? null) : null;
    },
    count(address, id, connection) {
      if (known.size >= memoryLimits.guessers) known.clear();
      misses.count(keyOf(address, id));
      known.set(keyOf(address, id), connection);
    },
  };
}
