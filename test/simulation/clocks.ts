// What servers of a simulated world noted of clocks, and how waits are moved when the database's clock
// jumps, in memory: as PostgreSQL has it.
import type { NotedClock, RecordedJump } from '../../src/engine/ports/clocks.ts';
import { type Incident, isOpen } from '../../src/incidents/incident.ts';
import type { MemoryLedger } from '../../src/what-if/memory/ledger.ts';
import type { DeafRows } from './deaf-rows.ts';
import type { Lock } from './transactions.ts';

type ClockRows = DeafRows &
  Pick<MemoryLedger, 'outbox'> & { readonly clocks: Map<string, NotedClock> };

export const clockLock = (id: string): Lock => `clock ${id}`;

export const notedIn = ({ clocks }: ClockRows): readonly NotedClock[] =>
  [...clocks.values()].sort((a, b) => (a.id < b.id ? -1 : 1));

/** The next of those that are open, by their ids. */
export const openAfter = (
  { incidents }: Pick<MemoryLedger, 'incidents'>,
  after: { readonly organization_id: string; readonly id: string } | null,
  limit: number,
): readonly Incident[] => {
  const nameOf = ({ organization_id, id }: { organization_id: string; id: string }) =>
    `${organization_id} ${id}`;
  const last = after === null ? '' : nameOf(after);
  return [...incidents.values()]
    .filter((one) => isOpen(one) && nameOf(one) > last)
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    .slice(0, limit);
};

export const pendingIn = ({ outbox }: Pick<MemoryLedger, 'outbox'>): readonly string[] =>
  [...outbox.values()].flatMap(({ state, intent }) => (state === 'pending' ? [intent.key] : []));

export function recordJumpIn(ledger: ClockRows, { ms, mayBeTime, boot }: RecordedJump): void {
  const moved = (at: Temporal.Instant) => at.add({ milliseconds: ms });
  if (!mayBeTime)
    for (const key of pendingIn(ledger)) {
      const row = ledger.outbox.get(key);
      if (row?.wakeAt) ledger.put(ledger.outbox, key, { ...row, wakeAt: moved(row.wakeAt) });
    }
  const last = ledger.presence.get('last');
  if (last) ledger.put(ledger.presence, 'last', moved(last));
  for (const [name, row] of ledger.spells)
    ledger.put(ledger.spells, name, { ...row, from: moved(row.from), to: moved(row.to) });
  for (const [id, row] of ledger.clocks)
    if (!mayBeTime || row.boot === boot)
      ledger.put(ledger.clocks, id, {
        ...row,
        booted_at: moved(row.booted_at),
        read_at: moved(row.read_at),
      });
}
