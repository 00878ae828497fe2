// Takes events in: an event is accepted when it is durable, with many others in one commit. What is done
// in that commit: accept.ts.
import { Room, type Slot } from '../../admission/room.ts';
import { type ServedBatch, ServedQueue } from '../../admission/served-queue.ts';
import { memoryOf } from '../../alerts/memory.ts';
import type { AlertOutcome } from '../../incidents/decision-result.ts';
import { eventsLimits } from '../../limits/events.ts';
import { httpLimits } from '../../limits/http.ts';
import type { Transactor } from '../ledger.ts';
import type { Log } from '../log.ts';
import type { IntakeTx } from '../ports/intake.ts';
import { noWake, type Wake } from '../wake.ts';
import { Acceptance, type Accepted, type AcceptOptions, type Taken } from './accept.ts';
import { full, type IntakeAnswer, pendingAnswer } from './answer.ts';
import { type Arrival, type Came, eventOf } from './arrival.ts';
import { reportCut } from './budget.ts';
import { alertsIn, type Readable } from './decide.ts';
import { InOrder } from './in-order.ts';
import { bytesOf } from './keep.ts';

/** A body adds the weight of one alert per so many bytes, since a transaction copies it. */
const BYTES_LIKE_AN_ALERT = 8 * 1024;

const defaults = { batchMax: eventsLimits.batch, lanes: eventsLimits.lanes };

export type IntakeOptions = Omit<AcceptOptions, 'decideUpTo' | 'decideAloneUpTo'> & {
  readonly ledger: Transactor<IntakeTx>;
  readonly log: Log;
  /** Called after each commit with the loops that it may have given work to. */
  readonly committed: (wake: Wake) => void;
  /** Called when an event of an integration was taken. */
  readonly taken?: (integrationId: string) => void;
  /** Called with the outcome of each alert that rules matched. */
  readonly ruled: (outcome: AlertOutcome) => void;
  /** Called with how many events were cut. */
  readonly cut?: (events: number) => void;
  readonly eventsMax?: number;
  readonly bytesMax?: number;
  /** Most alerts in one transaction, unless one request holds more. */
  readonly batchMax?: number;
  readonly lanes?: number;
  readonly decideUpTo?: number;
};

type Waiting = Taken & {
  readonly weight: number;
  readonly resolve: (answer: IntakeAnswer | typeof full) => void;
  readonly reject: (error: unknown) => void;
};

type Settings = IntakeOptions & Required<Pick<IntakeOptions, 'batchMax' | 'lanes'>>;

export class Intake {
  readonly #options: Settings;
  readonly #acceptance: Acceptance;
  /** By integration: its events are committed one batch after another. */
  readonly #queue: ServedQueue<Waiting>;
  readonly #room: Room;
  /** By integration: events that are read apart, and those that came after them. */
  readonly #reading = new InOrder();
  #running = 0;
  #isStoring = true;
  #idle: (() => void)[] = [];

  constructor(options: IntakeOptions) {
    this.#options = { ...defaults, ...options };
    const { decideUpTo } = options;
    this.#acceptance = new Acceptance({
      ...options,
      decideUpTo: decideUpTo ?? eventsLimits.decidedUpTo,
      decideAloneUpTo: decideUpTo ?? eventsLimits.decidedAlone,
    });
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
        const result = await this.#acceptance.accept(tx, batch);
        // The database's locks keep the order from here on, so that the next batch need not wait
        // for the commit. Events that are stored undecided take no locks: there it must wait.
        if (!result.wake.backlog) batch.done();
        return result;
      });
      const undecided = accepted.left;
      left = undecided;
      this.#answer(this.#itemsOf(batch), accepted);
      if (undecided.length === 0) return;
      const decided = await ledger.transact((tx) => this.#acceptance.decide(tx, undecided));
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
  #answer(items: readonly Waiting[], { answers, wake, ruled, cut, left }: Accepted<Waiting>): void {
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
      if (items.length > 0) await ledger.transact((tx) => this.#acceptance.store(tx, items));
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
}

const unlimited = (): Slot => ({ resize: () => true, [Symbol.dispose]() {} });

const unsupported = (arrival: Arrival, came: Came): Readable => ({
  event: eventOf(arrival, came, undefined),
  reading: {
    unreadable: `integrations of type ${arrival.slug} are not supported by this version`,
  },
});
