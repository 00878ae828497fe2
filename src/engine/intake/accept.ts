// What is done with a batch of events in the transaction that takes them: they are decided, or stored to
// be decided later when too many wait.
import type { ServedBatch } from '../../admission/served-queue.ts';
import { bounded } from '../../alerts/effort.ts';
import type { IntegrationType } from '../../alerts/integration-type.ts';
import type { Configurations } from '../../incidents/configuration.ts';
import type { AlertOutcome } from '../../incidents/decision-result.ts';
import { eventsLimits } from '../../limits/events.ts';
import type { Clock } from '../clock.ts';
import type { Faults } from '../faults.ts';
import type { Ids } from '../ids.ts';
import type { IntakeTx } from '../ports/intake.ts';
import type { Key } from '../ports/keys.ts';
import { noWake, type Wake, wakeOf } from '../wake.ts';
import { decidedAnswer, full, type IntakeAnswer } from './answer.ts';
import { refusedAmong, splitByRoom } from './budget.ts';
import {
  type Decided,
  decideEvents,
  integrationOf,
  integrationsOf,
  loadDecisionInput,
  type Readable,
  unreadableAmong,
} from './decide.ts';
import { keepWithin, type StorageBudget, StorageRoom, sizeOf } from './keep.ts';
import type { EventReader } from './reader.ts';

export type AcceptOptions = {
  readonly clock: Clock;
  readonly ids: Ids;
  /** By the integration's slug, and the path by which the event came. */
  readonly typeOf: (slug: string, path: string) => IntegrationType | undefined;
  readonly reader: EventReader;
  /** Reports alerts and events that failed while the others went on. */
  readonly faults: Faults;
  /** How much of events may be stored; without, there is no limit. */
  readonly storage?: StorageBudget;
  /** When more alerts than this wait, events are stored first and decided after. */
  readonly decideUpTo: number;
  /** The same of an event that is alone in its transaction: nobody waits but its sender. */
  readonly decideAloneUpTo: number;
};

/** An event that was read on arrival. */
export type Taken = Readable & {
  /** The integration's type when the event was read. */
  readonly slug: string;
};

type BatchResult = {
  readonly answers: ReadonlyMap<string, IntakeAnswer | typeof full>;
  readonly wake: Wake;
  readonly ruled: readonly AlertOutcome[];
  readonly cut: Pick<StorageRoom, 'stored' | 'newlyCut'>;
};

/** `left`: what is still to be decided, in a transaction of its own. */
export type Accepted<One> = BatchResult & { readonly left: readonly One[] };

const nothing: BatchResult = {
  answers: new Map(),
  wake: noWake,
  ruled: [],
  cut: { stored: [], newlyCut: [] },
};

export class Acceptance {
  readonly #options: AcceptOptions;

  constructor(options: AcceptOptions) {
    this.#options = options;
  }

  /** In one transaction, unless what is stored comes before what is decided. */
  async accept<One extends Taken>(
    tx: IntakeTx,
    { items, totalWeight }: Pick<ServedBatch<One>, 'items' | 'totalWeight'>,
  ): Promise<Accepted<One>> {
    if (items.length === 0) return { ...nothing, left: [] };
    const { decideUpTo, decideAloneUpTo } = this.#options;
    if (totalWeight <= (items.length === 1 ? decideAloneUpTo : decideUpTo))
      return { ...(await this.decide(tx, items)), left: [] };
    const { deciding, storing } = splitByRoom(items, await this.#storageRoom(tx, items));
    if (storing.length === 0) return { ...(await this.decide(tx, deciding)), left: [] };
    // What can be stored does not wait until others' flood is decided.
    await this.store(tx, storing);
    return { ...nothing, wake: { ...noWake, backlog: true }, left: deciding };
  }

  /** To be decided later. */
  async store(tx: IntakeTx, items: readonly Taken[]): Promise<void> {
    // What was stored before decides nothing here: all of it is stored whole.
    const room = new StorageRoom(this.#options.storage);
    for (const { event } of items) room.store(event, sizeOf(event));
    await Promise.all([
      tx.insertEvents(items.map(({ event }) => ({ event, decision: null }))),
      tx.countBytes(room.stored, this.#options.clock.now()),
    ]);
  }

  async #storageRoom(tx: IntakeTx, items: readonly Taken[]): Promise<StorageRoom> {
    const { storage, clock } = this.#options;
    const keys = integrationsOf(items.map(({ event }) => event));
    return new StorageRoom(storage, await tx.spentBytes(keys, clock.now()));
  }

  async decide(tx: IntakeTx, items: readonly Taken[]): Promise<BatchResult> {
    const { ids, clock, faults } = this.#options;
    const loadedAt = clock.now();
    const keys = integrationsOf(items.map(({ event }) => event));
    // All are sent at once and run in this order: the locks come first.
    const [, backlogged, spent, loaded] = await Promise.all([
      tx.lockIntegrations(keys),
      tx.withBacklog(keys),
      tx.spentBytes(keys, loadedAt),
      loadDecisionInput(tx, items, loadedAt),
    ]);
    const { configurations } = loaded;
    const refreshed = bounded(eventsLimits.readingAtOnce, () =>
      items.map((one) => this.#refreshed(one, configurations)),
    );
    // Events of an integration that has stored ones must wait for these; so do those of one whose
    // events have to be read anew, if that takes more work than may be done at once.
    const waiting = new Set(backlogged);
    for (const [index, one] of items.entries())
      if (refreshed[index] === null) waiting.add(one.event.integration_id);
    const isDecidable = ({ event }: Readable) => !waiting.has(event.integration_id);
    const decidable = items.filter(isDecidable);
    const postponed = items.filter((one) => !isDecidable(one));
    const current = refreshed.filter((one) => one !== null).filter(isDecidable);
    const isUnchanged = current.every((one, index) => one.reading === decidable[index]?.reading);
    const reloaded = isUnchanged ? loaded : await loadDecisionInput(tx, current, loadedAt);
    const input = { ...reloaded, ids, now: clock.now(), faults };
    const decisions = decideEvents(current, input);
    const { numbers } = decisions;
    const room = new StorageRoom(this.#options.storage, spent);
    const { decided, changes } = keepWithin(room, decisions);
    const refused = await refusedAmong(postponed, tx, room);
    const undecided = postponed.filter(({ event }) => !refused.has(event.id));
    for (const { event } of undecided) room.store(event, sizeOf(event));
    const [numbersOfOpened] = await Promise.all([
      tx.save(changes, input.now),
      tx.insertEvents([
        ...decided.filter((one) => one.stormEventId === null),
        ...undecided.map(({ event }) => ({ event, decision: null })),
      ]),
      tx.countStorm(stormCounts(decided)),
      tx.countBytes(room.stored, input.now),
    ]);
    for (const integration of room.newlyCut) await tx.notifyOfCutEvents(integration, input.now);
    const unreadable = unreadableAmong(decided, input.configurations);
    for (const { event, reason } of unreadable)
      await tx.notifyOfUnreadableEvent(event, { reason, now: input.now });
    const context = { configurations, numbers: new Map([...numbers, ...numbersOfOpened]) };
    const answers = new Map<string, IntakeAnswer | typeof full>([
      // Senders hear of all alerts, also of those that are cut from the log.
      ...decisions.decided.map((one, index) => {
        const stormEventId = decided[index]?.stormEventId ?? null;
        return [one.event.id, decidedAnswer({ ...one, stormEventId }, context)] as const;
      }),
      ...[...refused].map((id) => [id, full] as const),
    ]);
    const ruled = decided.flatMap((one) => one.ruled);
    const waking = wakeOf(changes, input.now);
    return {
      answers,
      wake: {
        ...waking,
        notices: waking.notices || unreadable.length > 0 || room.newlyCut.length > 0,
        backlog: undecided.length > 0,
      },
      ruled,
      cut: room,
    };
  }

  /** Null: it has to be read anew, which takes more work than may be done here. */
  #refreshed(waiting: Taken, configurations: Configurations): Readable | null {
    const { event, slug } = waiting;
    const integration = integrationOf(event, configurations);
    const type = integration && this.#options.typeOf(integration.slug, event.path);
    if (!integration || !type) return waiting;
    const mapping_revision = integration.mapping?.revision ?? null;
    if (integration.slug === slug && mapping_revision === event.mapping_revision) return waiting;
    const reading = this.#options.reader.stored(event, type, integration);
    return reading && { event: { ...event, mapping_revision }, reading };
  }
}

function stormCounts(decided: readonly Decided[]): Map<string, { key: Key; times: number }> {
  const counts = new Map<string, { key: Key; times: number }>();
  for (const { event, stormEventId } of decided) {
    if (stormEventId === null) continue;
    const { organization_id, integration_id } = event;
    const key = { organization_id, integration_id, dedup_key: '' };
    const times = (counts.get(stormEventId)?.times ?? 0) + 1;
    counts.set(stormEventId, { key, times });
  }
  return counts;
}
