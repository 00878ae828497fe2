// Takes events in: an event is accepted when it is durable, with many others in one commit. It is
// decided in that commit, or right after from what is stored, when too many wait.
import { Room, type Slot } from '../../admission/room.ts';
import { type ServedBatch, ServedQueue } from '../../admission/served-queue.ts';
import { bounded } from '../../alerts/effort.ts';
import type { IntegrationType } from '../../alerts/integration-type.ts';
import { memoryOf } from '../../alerts/memory.ts';
import type { Configurations } from '../../incidents/configuration.ts';
import type { AlertOutcome } from '../../incidents/receive-result.ts';
import { eventsLimits } from '../../limits/events.ts';
import { httpLimits } from '../../limits/http.ts';
import type { Clock } from '../clock.ts';
import type { Faults } from '../faults.ts';
import type { Ids } from '../ids.ts';
import type { Transactor } from '../ledger.ts';
import type { Log } from '../log.ts';
import type { IntakeTx } from '../ports/intake.ts';
import type { Key } from '../ports/keys.ts';
import { noWake, type Wake, wakeOf } from '../wake.ts';
import { decidedAnswer, type IntakeAnswer, pendingAnswer } from './answer.ts';
import { type Arrival, type Came, eventOf } from './arrival.ts';
import { refusedAmong, reportCut, splitByRoom } from './budget.ts';
import {
  alertsIn,
  type Decided,
  decideEvents,
  integrationOf,
  integrationsOf,
  loadDecisionInput,
  type Readable,
  unreadableAmong,
} from './decide.ts';
import { InOrder } from './in-order.ts';
import { bytesOf, keepWithin, type StorageBudget, StorageRoom, sizeOf } from './keep.ts';
import type { EventReader } from './reader.ts';

/** A body adds the weight of one alert per so many bytes, since a transaction copies it. */
const BYTES_LIKE_AN_ALERT = 8 * 1024;

const defaults = {
  batchMax: eventsLimits.batch,
  lanes: eventsLimits.lanes,
  decideUpTo: eventsLimits.decidedUpTo,
};

/** There is no room; the sender should try again in a second. */
export const full = { type: 'full' } as const;

export type IntakeOptions = {
  readonly ledger: Transactor<IntakeTx>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** By the integration's slug, and the path by which the event came. */
  readonly typeOf: (slug: string, path: string) => IntegrationType | undefined;
  readonly reader: EventReader;
  /** Called after each commit with the loops that it may have given work to. */
  readonly committed: (wake: Wake) => void;
  /** Called when an event of an integration was taken. */
  readonly taken?: (integrationId: string) => void;
  /** Called with the outcome of each alert that rules matched. */
  readonly ruled: (outcome: AlertOutcome) => void;
  /** Reports alerts and events that failed while the others went on. */
  readonly faults: Faults;
  /** How much of events may be stored; without, there is no limit. */
  readonly storage?: StorageBudget;
  /** Called with how many events were cut. */
  readonly cut?: (events: number) => void;
  readonly eventsMax?: number;
  readonly bytesMax?: number;
  /** Most alerts in one transaction, unless one request holds more. */
  readonly batchMax?: number;
  readonly lanes?: number;
  /** When more alerts than this wait, events are stored first and decided after. */
  readonly decideUpTo?: number;
  /** The same of an event that is alone in its transaction: nobody waits but its sender. */
  readonly decideAloneUpTo?: number;
};

type Waiting = Readable & {
  /** The integration's type when the event was read. */
  readonly slug: string;
  readonly weight: number;
  readonly resolve: (answer: IntakeAnswer | typeof full) => void;
  readonly reject: (error: unknown) => void;
};

type BatchResult = {
  readonly answers: ReadonlyMap<string, IntakeAnswer | typeof full>;
  readonly wake: Wake;
  readonly ruled: readonly AlertOutcome[];
  readonly cut: Pick<StorageRoom, 'stored' | 'newlyCut'>;
};

/** `left`: what is still to be decided, in a transaction of its own. */
type Accepted = BatchResult & { readonly left: readonly Waiting[] };

const nothing: Accepted = {
  answers: new Map(),
  wake: noWake,
  ruled: [],
  cut: { stored: [], newlyCut: [] },
  left: [],
};

type Settings = IntakeOptions &
  Required<Pick<IntakeOptions, 'batchMax' | 'lanes' | 'decideUpTo' | 'decideAloneUpTo'>>;

export class Intake {
  readonly #options: Settings;
  /** By integration: its events are committed one batch after another. */
  readonly #queue: ServedQueue<Waiting>;
  readonly #room: Room;
  /** By integration: events that are read apart, and those that came after them. */
  readonly #reading = new InOrder();
  #running = 0;
  #isStoring = true;
  #idle: (() => void)[] = [];

  constructor(options: IntakeOptions) {
    const { decideUpTo, decideAloneUpTo = decideUpTo ?? eventsLimits.decidedAlone } = options;
    this.#options = { ...defaults, ...options, decideAloneUpTo };
    const { eventsMax = httpLimits.events, bytesMax = httpLimits.eventBytes } = options;
    this.#room = new Room({ slots: eventsMax, bytes: bytesMax });
    this.#queue = new ServedQueue<Waiting>(
      ({ event }) => event.integration_id,
      ({ weight }) => weight,
    );
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** Memory of the events in progress. */
  get bytes(): number {
    return this.#room.bytes;
  }

  /** Whether storing the last events succeeded. */
  get isStoring(): boolean {
    return this.#isStoring;
  }

  /** Reserves room before a body is read; null when there is none. */
  enter(integrationId: string, bytes: number): Slot | null {
    return this.#room.enter(integrationId, bytes);
  }

  /**
   * Resolves when the event is durable. Rejects when storing failed; nothing is stored then. The
   * slot is released in either case.
   */
  async receive(
    arrival: Arrival,
    entered = this.enter(arrival.integrationId, arrival.body.byteLength),
  ): Promise<IntakeAnswer | typeof full> {
    using slot = entered;
    if (slot === null) return full;
    const { ids, clock, reader, typeOf } = this.#options;
    const { integrationId, slug } = arrival;
    const came = { id: ids.next(), received_at: clock.now() };
    const type = typeOf(slug, arrival.path);
    const read = type ? reader.arriving(arrival, came, type) : unsupported(arrival, came);
    const enter = (readable: Readable) => this.#enter(readable, { slug, slot });
    if (read !== null && !this.#reading.has(integrationId)) {
      const entered = await enter(read);
      this.#noteTaken(arrival, entered);
      return entered;
    }
    const result =
      read ?? (type ? reader.arrivingApart(arrival, came, type) : unsupported(arrival, came));
    let answer: ReturnType<typeof enter> | undefined;
    await this.#reading.take(integrationId, result, (readable) => {
      answer = enter(readable);
    });
    const received = (await answer) ?? full;
    this.#noteTaken(arrival, received);
    return received;
  }

  #noteTaken({ integrationId, refused }: Arrival, { type }: { readonly type: string }): void {
    if (type !== full.type && refused === undefined) this.#options.taken?.(integrationId);
  }

  /** Stores what stands for refused requests, also when there is no room for events. */
  readonly record = (arrival: Arrival): Promise<unknown> => this.receive(arrival, unlimited());

  #enter(
    { event, reading }: Readable,
    { slug, slot }: { readonly slug: string; readonly slot: Slot },
  ): Promise<IntakeAnswer | typeof full> {
    const bytes = bytesOf(event);
    if (!slot.resize(bytes + memoryOf(reading))) return Promise.resolve(full);
    const weight = alertsIn({ event, reading }) + Math.floor(bytes / BYTES_LIKE_AN_ALERT);
    return new Promise((resolve, reject) => {
      this.#queue.push({ event, reading, slug, weight, resolve, reject });
      this.#startLane();
    });
  }

  /** Resolves when no event is read, waits or is in progress. */
  async drained(): Promise<void> {
    await this.#reading.drained();
    if (this.#running === 0 && this.#queue.size === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #startLane(): void {
    if (this.#running >= this.#options.lanes) return;
    this.#running += 1;
    // Waiting for one turn of the event loop gathers the events that arrived together.
    setImmediate(() => void this.#runLane());
  }

  async #runLane(): Promise<void> {
    while (this.#queue.size > 0) await this.#processBatch();
    this.#running -= 1;
    if (this.#running > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /**
   * Accepts one batch, in one transaction unless what is stored comes before what is decided. The
   * batch is taken after the transaction has begun, so that it includes events that arrived
   * meanwhile or while another lane committed.
   */
  async #processBatch(): Promise<void> {
    const { ledger, batchMax } = this.#options;
    let batch: ServedBatch<Waiting> | null = null;
    let left: readonly Waiting[] | null = null;
    try {
      const accepted = await ledger.transact(async (tx) => {
        batch ??= await this.#queue.take(batchMax);
        const result = await this.#accept(tx, batch);
        // The database's locks keep the order from here on, so that the next batch need not wait
        // for the commit. Events that are stored undecided take no locks: there it must wait.
        if (!result.wake.backlog) batch.done();
        return result;
      });
      const undecided = accepted.left;
      left = undecided;
      this.#answer(this.#itemsOf(batch), accepted);
      if (undecided.length === 0) return;
      const decided = await ledger.transact((tx) => this.#decide(tx, undecided));
      this.#answer(undecided, { ...decided, left: [] });
    } catch (error) {
      // Nothing was taken if no transaction began, and the senders still need an answer. `take`
      // waits while all keys are being served, so that the lane does not spin.
      batch ??= await this.#queue.take(batchMax);
      await this.#storeOnly(left ?? this.#itemsOf(batch), error);
    } finally {
      this.#finish(batch);
    }
  }

  /** What follows a commit: the loops are woken, and the senders of all but `left` answered. */
  #answer(items: readonly Waiting[], { answers, wake, ruled, cut, left }: Accepted): void {
    this.#isStoring = true;
    this.#options.committed(wake);
    for (const outcome of ruled) this.#options.ruled(outcome);
    reportCut(this.#options, cut);
    const later = new Set(left);
    for (const waiting of items)
      if (!later.has(waiting))
        waiting.resolve(answers.get(waiting.event.id) ?? pendingAnswer(waiting));
  }

  /** A batch that cannot be decided as a whole is stored, to be decided in smaller pieces. */
  async #storeOnly(items: readonly Waiting[], error: unknown): Promise<void> {
    const { ledger, committed, log } = this.#options;
    try {
      if (items.length > 0) await ledger.transact((tx) => this.#store(tx, items));
    } catch {
      this.#isStoring = false;
      log.error({ err: error, events: items.length }, 'events could not be stored');
      for (const waiting of items) waiting.reject(error);
      return;
    }
    log.error(
      { err: error, events: items.length },
      'events were stored, but could not be processed yet',
    );
    committed({ ...noWake, backlog: true });
    for (const waiting of items) waiting.resolve(pendingAnswer(waiting));
  }

  // The assignment in the transaction's callback is invisible to the compiler's flow analysis.
  #itemsOf(batch: ServedBatch<Waiting> | null): readonly Waiting[] {
    return batch?.items ?? [];
  }

  #finish(batch: ServedBatch<Waiting> | null): void {
    batch?.done();
  }

  async #accept(tx: IntakeTx, { items, totalWeight }: ServedBatch<Waiting>): Promise<Accepted> {
    if (items.length === 0) return nothing;
    const { decideUpTo, decideAloneUpTo } = this.#options;
    if (totalWeight <= (items.length === 1 ? decideAloneUpTo : decideUpTo))
      return { ...(await this.#decide(tx, items)), left: [] };
    const { deciding, storing } = splitByRoom(items, await this.#storageRoom(tx, items));
    if (storing.length === 0) return { ...(await this.#decide(tx, deciding)), left: [] };
    // What can be stored does not wait until others' flood is decided.
    await this.#store(tx, storing);
    return { ...nothing, wake: { ...noWake, backlog: true }, left: deciding };
  }

  async #store(tx: IntakeTx, items: readonly Waiting[]): Promise<void> {
    const room = await this.#storageRoom(tx, items);
    for (const { event } of items) room.store(event, sizeOf(event));
    await Promise.all([
      tx.insertEvents(items.map(({ event }) => ({ event, decision: null }))),
      tx.countBytes(room.stored, this.#options.clock.now()),
    ]);
  }

  async #storageRoom(tx: IntakeTx, items: readonly Waiting[]): Promise<StorageRoom> {
    const { storage, clock } = this.#options;
    const keys = integrationsOf(items.map(({ event }) => event));
    return new StorageRoom(storage, await tx.spentBytes(keys, clock.now()));
  }

  async #decide(tx: IntakeTx, items: readonly Waiting[]): Promise<BatchResult> {
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
  #refreshed(waiting: Waiting, configurations: Configurations): Readable | null {
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

const unlimited = (): Slot => ({ resize: () => true, [Symbol.dispose]() {} });

const unsupported = (arrival: Arrival, came: Came): Readable => ({
  event: eventOf(arrival, came, undefined),
  reading: {
    unreadable: `integrations of type ${arrival.slug} are not supported by this version`,
  },
});

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
