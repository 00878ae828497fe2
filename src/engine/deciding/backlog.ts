import type { Reading } from '../../alerts/alert.ts';
import type { Decision, StoredEvent } from '../ledger.ts';
import { alertsIn, type Decided, decideEvents, integrationsOf, type Readable } from './decide.ts';
import type { IntakeOptions } from './intake.ts';
import { countUpTo } from './queue.ts';

/**
 * One piece of the backlog: decides stored events of one integration, up to so many alerts or one
 * event. Answers how many.
 */
export async function decideBacklog(
  options: Pick<IntakeOptions, 'ledger' | 'clock' | 'ids' | 'typeOf' | 'read'> &
    Partial<Pick<IntakeOptions, 'log' | 'ruled'>>,
  limit = 500,
): Promise<number> {
  const decided = await options.ledger.transact(async (tx): Promise<readonly Decided[]> => {
    const events = await tx.backlog(limit);
    if (events.length === 0) return [];
    const receivers = await tx.receivers(integrationsOf(events));
    const read = await Promise.all(
      events.map(async (event): Promise<Readable> => {
        const receiver = receivers.get(event.integration_id);
        const type = receiver && options.typeOf(receiver.slug);
        const reading: Reading = type
          ? await options.read(event, type, receiver.name)
          : { unreadable: 'the integration type is not supported by this version' };
        return { event, reading };
      }),
    );
    const readables = read.slice(0, countUpTo(limit, read, alertsIn));
    const { ids, clock, log } = options;
    const deciding = { tx, ids, now: clock.now(), ...(log && { log }) };
    const { decided, changes } = await decideEvents(readables, receivers, deciding);
    await tx.save(changes, deciding.now);
    await tx.settleEvents(
      decided.map(({ event, decision }): { event: StoredEvent; decision: Decision } => ({
        event,
        decision,
      })),
    );
    return decided;
  });
  for (const { ruled } of decided) for (const outcome of ruled) options.ruled?.(outcome);
  return decided.length;
}
