import { countUpTo } from '../../admission/fair-queue.ts';
import type { Configurations } from '../../incidents/configuration.ts';
import { type Batch, bisectFailures } from '../faults.ts';
import type { BacklogTx, Decision, StoredEvent, Transactor } from '../ledger.ts';
import { failureOf } from '../log.ts';
import {
  alertsIn,
  type Decided,
  decideEvents,
  integrationOf,
  loadDecisionInput,
  organizationsOf,
  type Readable,
  unreadableAmong,
} from './decide.ts';
import type { IntakeOptions } from './intake.ts';

export type BacklogOptions = Pick<
  IntakeOptions,
  'clock' | 'ids' | 'typeOf' | 'read' | 'ruled' | 'faults'
> & { readonly ledger: Transactor<BacklogTx> };

/**
 * Decides stored events of one integration: up to `limitMax` alerts, and at least one event.
 * Returns how many events.
 */
export async function decideBacklog(options: BacklogOptions, limitMax = 500): Promise<number> {
  const { ledger } = options;
  // A batch that fails is halved in the same turn. At its next turn, after those of the other
  // integrations, it would start again with the whole batch.
  let firstFailed: StoredEvent | undefined;
  const decided = await bisectFailures<StoredEvent, readonly Decided[]>({
    limitMax,
    name: ({ id }) => id,
    work: ({ limit, selected }) =>
      ledger.transact((tx) => {
        const select = (events: readonly StoredEvent[]) => {
          [firstFailed] = events;
          selected(events);
        };
        return decideBatch(tx, options, { limit, selected: select, retryOf: firstFailed });
      }),
    async blame(event, error) {
      const settled = await ledger.transact((tx) =>
        giveUp(tx, event, { error, now: options.clock.now() }),
      );
      if (settled.length > 0) options.faults({ of: 'event', id: event.id, error });
      return settled;
    },
  });
  for (const { ruled } of decided) for (const outcome of ruled) options.ruled(outcome);
  return decided.length;
}

/** `retryOf`: the first event of a batch that failed. */
type BatchAttempt = Batch<StoredEvent> & { readonly retryOf: StoredEvent | undefined };

async function decideBatch(
  tx: BacklogTx,
  options: BacklogOptions,
  { limit, selected, retryOf }: BatchAttempt,
): Promise<readonly Decided[]> {
  const events = await tx.backlog(limit, retryOf);
  if (events.length === 0) return [];
  selected(events);
  const { ids, clock, faults } = options;
  const now = clock.now();
  const configurations = await tx.configurations(organizationsOf(events), now);
  const read = await Promise.all(events.map((event) => readStored(event, configurations, options)));
  const readables = read.slice(0, countUpTo(limit, read, alertsIn));
  selected(readables.map(({ event }) => event));
  const input = await loadDecisionInput(tx, readables, now);
  const { decided, changes } = decideEvents(readables, { ...input, ids, now, faults });
  await tx.save(changes, now);
  await tx.settleEvents(
    decided.map(({ event, decision }): { event: StoredEvent; decision: Decision } => ({
      event,
      decision,
    })),
  );
  for (const { event, reason } of unreadableAmong(decided, configurations))
    await tx.notifyOfUnreadableEvent(event, { reason, now });
  return decided;
}

async function readStored(
  event: StoredEvent,
  configurations: Configurations,
  { typeOf, read }: BacklogOptions,
): Promise<Readable> {
  const integration = integrationOf(event, configurations);
  const type = integration && typeOf(integration.slug, event.path);
  if (!type) {
    const reading = { unreadable: 'the integration type is not supported by this version' };
    return { event, reading };
  }
  const mapping_revision = integration.mapping?.revision ?? null;
  return { event: { ...event, mapping_revision }, reading: await read(event, type, integration) };
}

/** The event stays in the log with the reason, admins are notified, and later events are decided. */
async function giveUp(
  tx: BacklogTx,
  event: StoredEvent,
  failure: { readonly error: unknown; readonly now: Temporal.Instant },
): Promise<readonly Decided[]> {
  // If it is no longer the first of its integration, another server decides it or has done so.
  const [first] = await tx.backlog(1, event);
  if (first?.id !== event.id) return [];
  const reason = `could not be decided: ${failureOf(failure.error)}`;
  const decision: Decision = { outcome: 'unreadable', reason, alerts: [] };
  await tx.settleEvents([{ event, decision }]);
  await tx.notifyOfEvent(event, failure);
  return [{ event, reading: { unreadable: reason }, decision, ruled: [], stormEventId: null }];
}
