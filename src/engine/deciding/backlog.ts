import type { Reading } from '../../alerts/alert.ts';
import type { BacklogTx, Decision, StoredEvent, Transacting } from '../ledger.ts';
import {
  alertsIn,
  type Decided,
  decideEvents,
  integrationOf,
  lookUp,
  organizationsOf,
  type Readable,
} from './decide.ts';
import type { IntakeOptions } from './intake.ts';
import { countUpTo } from './queue.ts';

export type BacklogOptions = Pick<IntakeOptions, 'clock' | 'ids' | 'log' | 'typeOf' | 'read'> &
  Partial<Pick<IntakeOptions, 'ruled'>> & { readonly ledger: Transacting<BacklogTx> };

/**
 * One piece of the backlog: decides stored events of one integration, up to so many alerts or one
 * event. Answers how many.
 */
export async function decideBacklog(options: BacklogOptions, limit = 500): Promise<number> {
  const decided = await options.ledger.transact(async (tx): Promise<readonly Decided[]> => {
    const events = await tx.backlog(limit);
    if (events.length === 0) return [];
    const { ids, clock, log } = options;
    const now = clock.now();
    const configurations = await tx.configurations(organizationsOf(events), now);
    const read = await Promise.all(
      events.map(async (event): Promise<Readable> => {
        const integration = integrationOf(event, configurations);
        const type = integration && options.typeOf(integration.slug);
        const reading: Reading = type
          ? await options.read(event, type, integration.name)
          : { unreadable: 'the integration type is not supported by this version' };
        return { event, reading };
      }),
    );
    const readables = read.slice(0, countUpTo(limit, read, alertsIn));
    const found = await lookUp(tx, readables, now);
    const { decided, changes } = decideEvents(readables, { ...found, ids, now, log });
    await tx.save(changes, now);
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
