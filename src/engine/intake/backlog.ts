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
} from './decide.ts';
import type { IntakeOptions } from './intake.ts';

export type BacklogOptions = Pick<
  IntakeOptions,
  'clock' | 'ids' | 'typeOf' | 'read' | 'ruled' | 'faults'
> & { readonly ledger: Transactor<BacklogTx> };

/**
 * One piece of the backlog: decides stored events of one integration, up to so many alerts or one
 * event. Answers how many.
 */
export async function decideBacklog(options: BacklogOptions, most = 500): Promise<number> {
  const { ledger } = options;
  // What fails as a whole is halved at once, and not when its turn comes again: others have theirs
  // in between, and each turn would begin with the whole.
  let failing: StoredEvent | undefined;
  const decided = await bisectFailures<StoredEvent, readonly Decided[]>({
    most,
    name: ({ id }) => id,
    work: ({ limit, selected: found }) =>
      ledger.transact((tx) => {
        const seen = (events: readonly StoredEvent[]) => {
          [failing] = events;
          found(events);
        };
        return decideSome(tx, options, { limit, selected: seen, again: failing });
      }),
    async blame(event, error) {
      const given = await ledger.transact((tx) =>
        giveUp(tx, event, { error, now: options.clock.now() }),
      );
      if (given.length > 0) options.faults({ of: 'event', id: event.id, error });
      return given;
    },
  });
  for (const { ruled } of decided) for (const outcome of ruled) options.ruled(outcome);
  return decided.length;
}

/** Again: one of those that failed as a whole. */
type Trying = Batch<StoredEvent> & { readonly again: StoredEvent | undefined };

async function decideSome(
  tx: BacklogTx,
  options: BacklogOptions,
  { limit, selected: found, again }: Trying,
): Promise<readonly Decided[]> {
  const events = await tx.backlog(limit, again);
  if (events.length === 0) return [];
  found(events);
  const { ids, clock, faults } = options;
  const now = clock.now();
  const configurations = await tx.configurations(organizationsOf(events), now);
  const read = await Promise.all(events.map((event) => readAgain(event, configurations, options)));
  const readables = read.slice(0, countUpTo(limit, read, alertsIn));
  found(readables.map(({ event }) => event));
  const known = await loadDecisionInput(tx, readables, now);
  const { decided, changes } = decideEvents(readables, { ...known, ids, now, faults });
  await tx.save(changes, now);
  await tx.settleEvents(
    decided.map(({ event, decision }): { event: StoredEvent; decision: Decision } => ({
      event,
      decision,
    })),
  );
  return decided;
}

async function readAgain(
  event: StoredEvent,
  configurations: Configurations,
  { typeOf, read }: BacklogOptions,
): Promise<Readable> {
  const integration = integrationOf(event, configurations);
  const type = integration && typeOf(integration.slug);
  if (!type) {
    const reading = { unreadable: 'the integration type is not supported by this version' };
    return { event, reading };
  }
  return { event, reading: await read(event, type, integration.name) };
}

/** It stays in the log with the reason, admins are told, and those behind it go on. */
async function giveUp(
  tx: BacklogTx,
  event: StoredEvent,
  failing: { readonly error: unknown; readonly now: Temporal.Instant },
): Promise<readonly Decided[]> {
  // Locked anew as the first of its integration; else another server has decided it, or is about to.
  const [first] = await tx.backlog(1, event);
  if (first?.id !== event.id) return [];
  const reason = `could not be decided: ${failureOf(failing.error)}`;
  const decision: Decision = { outcome: 'unreadable', reason, alerts: [] };
  await tx.settleEvents([{ event, decision }]);
  await tx.notifyOfEvent(event, failing);
  return [{ event, reading: { unreadable: reason }, decision, ruled: [], stormEventId: null }];
}
