import { setImmediate } from 'node:timers/promises';
import { countUpTo } from '../../admission/fair-queue.ts';
import { measured } from '../../alerts/effort.ts';
import type { Configurations } from '../../incidents/configuration.ts';
import { eventsLimits } from '../../limits/events.ts';
import { type Batch, bisectFailures } from '../faults.ts';
import type { Transactor } from '../ledger.ts';
import { failureOf, type Log } from '../log.ts';
import type { StoredEvent } from '../ports/events.ts';
import type { BacklogTx } from '../ports/intake.ts';
import { dayOf } from '../ports/stored-bytes.ts';
import { reportCut } from './budget.ts';
import {
  alertsIn,
  type Decided,
  decideEvents,
  integrationOf,
  integrationsOf,
  loadDecisionInput,
  organizationsOf,
  type Readable,
  unreadable,
  unreadableAmong,
} from './decide.ts';
import type { IntakeOptions } from './intake.ts';
import { keepWithin, StorageRoom } from './keep.ts';
import type { StoredReadings } from './stored-readings.ts';

export type BacklogOptions = Pick<
  IntakeOptions,
  'clock' | 'ids' | 'typeOf' | 'reader' | 'ruled' | 'faults' | 'storage' | 'cut'
> & {
  readonly ledger: Transactor<BacklogTx>;
  readonly log: Log;
  /** Those that are read in another thread. */
  readonly apart: StoredReadings;
};

/** Integrations that are passed over in one go because their next event is being read apart. */
const PASSED_OVER = 20;

/**
 * Decides stored events of one integration: up to `limitMax` alerts, and at least one event.
 * Returns how many events. An integration whose next event is being read apart is passed over.
 */
export async function decideBacklog(options: BacklogOptions, limitMax = 500): Promise<number> {
  const passedOver = new Set<string>();
  while (passedOver.size < PASSED_OVER) {
    const { count, unread } = await decideTurn(options, limitMax);
    if (count > 0 || unread === undefined || passedOver.has(unread.id)) return count;
    passedOver.add(unread.id);
  }
  return 0;
}

/** `unread`: the event at which it ended, because it is being read apart. */
type Turn = { readonly count: number; readonly unread: StoredEvent | undefined };

async function decideTurn(options: BacklogOptions, limitMax: number): Promise<Turn> {
  const { ledger } = options;
  // A batch that fails is halved in the same turn. At its next turn, after those of the other
  // integrations, it would start again with the whole batch.
  let firstFailed: StoredEvent | undefined;
  let unread: StoredEvent | undefined;
  let stored: StorageRoom | undefined;
  const decided = await bisectFailures<StoredEvent, readonly Decided[]>({
    limitMax,
    name: ({ id }) => id,
    work: ({ limit, selected }) =>
      ledger.transact((tx) => {
        const select = (events: readonly StoredEvent[]) => {
          [firstFailed] = events;
          selected(events);
        };
        const notRead = (event: StoredEvent) => {
          unread = event;
        };
        const storing = (room: StorageRoom) => {
          stored = room;
        };
        unread = undefined;
        stored = undefined;
        const batch = { limit, selected: select, retryOf: firstFailed, notRead, storing };
        return decideBatch(tx, options, batch);
      }),
    async blame(event, error) {
      const settled = await ledger.transact((tx) =>
        giveUp(tx, { event, error, now: options.clock.now() }),
      );
      if (settled.length > 0) options.faults({ of: 'event', id: event.id, error });
      return settled;
    },
  });
  for (const { ruled } of decided) for (const outcome of ruled) options.ruled(outcome);
  if (stored !== undefined) reportCut(options, stored);
  return { count: decided.length, unread };
}

/** `retryOf`: the first event of a batch that failed. */
type BatchAttempt = Batch<StoredEvent> & {
  readonly retryOf: StoredEvent | undefined;
  readonly notRead: (event: StoredEvent) => void;
  readonly storing: (room: StorageRoom) => void;
};

async function decideBatch(
  tx: BacklogTx,
  options: BacklogOptions,
  { limit, selected, retryOf, notRead, storing }: BatchAttempt,
): Promise<readonly Decided[]> {
  const events = await tx.backlog(limit, retryOf);
  if (events.length === 0) return [];
  selected(events);
  const { ids, clock, faults } = options;
  const now = clock.now();
  const configurations = await tx.configurations(organizationsOf(events), now);
  const read = await readFirst(events, configurations, options);
  const next = events[read.length];
  if (next !== undefined) notRead(next);
  if (read.length === 0) return [];
  const readables = read.slice(0, countUpTo(limit, read, alertsIn));
  selected(readables.map(({ event }) => event));
  const [spent, input] = await Promise.all([
    tx.spentBytes(integrationsOf(readables.map(({ event }) => event)), now),
    loadDecisionInput(tx, readables, now),
  ]);
  const room = new StorageRoom(options.storage, spent);
  const decisions = decideEvents(readables, { ...input, ids, now, faults });
  const { decided, changes } = keepWithin(room, decisions, countedOn(now));
  await tx.save(changes, now);
  await settle(tx, decided, { room, now });
  storing(room);
  for (const { event, reason } of unreadableAmong(decided, configurations))
    await tx.notifyOfUnreadableEvent(event, { reason, now });
  return decided;
}

/** Up to the first that is being read apart, for none may be decided before those that came earlier. */
async function readFirst(
  events: readonly StoredEvent[],
  configurations: Configurations,
  options: BacklogOptions,
): Promise<readonly Readable[]> {
  const readables: Readable[] = [];
  let work = 0;
  for (const event of events) {
    const { result: readable, units } = measured(() => readStored(event, configurations, options));
    if (readable === null) break;
    work += units;
    readables.push(readable);
    if (work < eventsLimits.readingAtOnce) continue;
    work = 0;
    await setImmediate();
  }
  return readables;
}

/** Null: it is being read apart. */
function readStored(
  event: StoredEvent,
  configurations: Configurations,
  { typeOf, reader, apart }: BacklogOptions,
): Readable | null {
  const integration = integrationOf(event, configurations);
  const type = integration && typeOf(integration.slug, event.path);
  if (!type) {
    const reading = { unreadable: 'the integration type is not supported by this version' };
    return { event, reading };
  }
  const mapping_revision = integration.mapping?.revision ?? null;
  const before = apart.of(event, integration);
  if (before === 'being read') return null;
  const reading = before ?? reader.stored(event, type, integration);
  if (reading === null) apart.begin(event, integration);
  return reading && { event: { ...event, mapping_revision }, reading };
}

/** Whether an event was counted whole, when it was stored, on the day that is counted now. */
const countedOn = (now: Temporal.Instant) => {
  const today = dayOf(now);
  return ({ received_at }: StoredEvent): boolean => dayOf(received_at) === today;
};

type Settling = { readonly room: StorageRoom; readonly now: Temporal.Instant };

async function settle(
  tx: BacklogTx,
  decided: readonly Decided[],
  { room, now }: Settling,
): Promise<void> {
  await Promise.all([
    tx.settleEvents(decided.map(({ event, decision }) => ({ event, decision }))),
    tx.countBytes(room.stored, now),
  ]);
  for (const integration of room.newlyCut) await tx.notifyOfCutEvents(integration, now);
}

type Failed = {
  readonly event: StoredEvent;
  readonly error: unknown;
  readonly now: Temporal.Instant;
};

/** The event stays in the log with the reason, admins are notified, and later events are decided. */
async function giveUp(tx: BacklogTx, { event, error, now }: Failed): Promise<readonly Decided[]> {
  // If it is no longer the first of its integration, another server decides it or has done so.
  const [first] = await tx.backlog(1, event);
  if (first?.id !== event.id) return [];
  const reason = `could not be processed: ${failureOf(error)}`;
  const undecided = unreadable({ event, reading: { unreadable: reason } }, reason);
  // It stays whole and counted, for a person has to read what it reports.
  await tx.settleEvents([{ event, decision: undecided.decision }]);
  await tx.notifyOfEvent(event, { error, now });
  return [undecided];
}
