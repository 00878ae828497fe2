// What the storage budget leaves of a batch: which events are stored before they are decided, and
// which are refused. How decided ones are cut: src/engine/intake/keep.ts.
import { eventsLimits } from '../../limits/events.ts';
import type { Log } from '../log.ts';
import type { StoredEvent } from '../ports/events.ts';
import type { IntakeTx } from '../ports/intake.ts';
import { type StorageRoom, sizeOf } from './keep.ts';

type WithEvent = { readonly event: StoredEvent };

/** Of one batch: what is decided at once, and what is stored undecided before that. */
type Split<One> = { readonly deciding: readonly One[]; readonly storing: readonly One[] };

/** Events are stored first, but those of integrations whose budget has no room for them whole. */
export function splitByRoom<One extends WithEvent>(
  items: readonly One[],
  room: StorageRoom,
): Split<One> {
  const without = new Set<string>();
  for (const { event } of items) {
    const bytes = sizeOf(event);
    if (bytes > room.leftFor(event)) without.add(event.integration_id);
    else room.store(event, bytes);
  }
  const isWithout = ({ event }: One) => without.has(event.integration_id);
  return { deciding: items.filter(isWithout), storing: items.filter((one) => !isWithout(one)) };
}

/**
 * Of events that have to wait for stored ones, and for which the budget has no room, those that are
 * too many to be stored whole until then: their senders try again.
 */
export async function refusedAmong(
  postponed: readonly WithEvent[],
  tx: Pick<IntakeTx, 'undecidedBytes'>,
  room: StorageRoom,
): Promise<ReadonlySet<string>> {
  const refused = new Set<string>();
  for (const own of Map.groupBy(postponed, ({ event }) => event.integration_id).values()) {
    let [stored, before, isFull]: [number | null, number, boolean] = [null, 0, false];
    for (const { event } of own) {
      const bytes = sizeOf(event);
      if (!isFull && before + bytes > room.leftFor(event)) {
        stored ??= await tx.undecidedBytes(event);
        isFull = stored + before + bytes > eventsLimits.undecidedBytes;
      }
      // Later ones too, or an end would come before its trigger, which is sent again.
      if (isFull) refused.add(event.id);
      else before += bytes;
    }
  }
  return refused;
}

/** Once the transaction is committed. */
export function reportCut(
  { log, cut }: { readonly log: Log; readonly cut?: (events: number) => void },
  { stored, newlyCut }: Pick<StorageRoom, 'stored' | 'newlyCut'>,
): void {
  const events = stored.reduce((sum, { cutEvents }) => sum + cutEvents, 0);
  if (events > 0) cut?.(events);
  for (const { integration_id } of newlyCut)
    log.warn(
      { integration_id },
      'the storage budget of an integration is used up: events are truncated',
    );
}
