// Takes events in: an event is accepted when it is durable, with many others in one commit. It is
// decided in that commit, or right after from what is stored, when too many wait.
import { Room, type Slot } from '../../admission/room.ts';
import { type ServedBatch, ServedQueue } from '../../admission/served-queue.ts';
import type { EventSource, Mail, Reading } from '../../alerts/alert.ts';
import type { IntegrationType } from '../../alerts/integration-type.ts';
import { memoryOf } from '../../alerts/memory.ts';
import type { Mapping } from '../../alerts/reading/notation.ts';
import { storedHeaders, storedQuery } from '../../alerts/request-headers.ts';
import type { Configurations } from '../../incidents/configuration.ts';
import type { AlertOutcome } from '../../incidents/receive-alert.ts';
import { eventsLimits } from '../../limits/events.ts';
import { httpLimits } from '../../limits/http.ts';
import type { Clock } from '../clock.ts';
import type { Faults } from '../faults.ts';
import type { Ids } from '../ids.ts';
import {
  type IntakeTx,
  type Key,
  noWake,
  type StoredEvent,
  type Transactor,
  type Wake,
  wakeOf,
} from '../ledger.ts';
import type { Log } from '../log.ts';
import { decidedAnswer, type IntakeAnswer, pendingAnswer } from './answer.ts';
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

/** A request whose token was recognised. */
export type Arrival = {
  readonly organizationId: string;
  readonly integrationId: string;
  /** As they were on arrival; the event is read again if they have changed when it is decided. */
  readonly slug: string;
  readonly integrationName: string;
  /** Of its integration, as it was on arrival. */
  readonly mapping?: Mapping | null;
  readonly source: EventSource;
  /** Of a request by HTTP. */
  readonly sent?: {
    readonly method: string;
    readonly query: string;
    readonly headers: Parameters<typeof storedHeaders>[1];
  };
  readonly path: string;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** A mail as it was read. */
  readonly mail?: Mail;
};

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
  readonly read: (
    event: StoredEvent,
    type: IntegrationType,
    integration: { readonly name: string; readonly mapping: Mapping | null },
  ) => Promise<Reading>;
  /** Called after each commit with the loops that it may have given work to. */
  readonly committed: (wake: Wake) => void;
  /** Called with the outcome of each alert that rules matched. */
  readonly ruled: (outcome: AlertOutcome) => void;
  /** Reports alerts and events that failed while the others went on. */
  readonly faults: Faults;
  readonly eventsMax?: number;
  readonly bytesMax?: number;
  /** Most alerts in one transaction, unless one request holds more. */
  readonly batchMax?: number;
  readonly lanes?: number;
  /** When more alerts than this wait, events are stored first and decided after. */
  readonly decideUpTo?: number;
};

type Waiting = Readable & {
  /** The integration's type when the event was read. */
  readonly slug: string;
  readonly weight: number;
  readonly resolve: (answer: IntakeAnswer) => void;
  readonly reject: (error: unknown) => void;
};

type BatchResult = {
  readonly answers: ReadonlyMap<string, IntakeAnswer>;
  readonly wake: Wake;
  readonly ruled: readonly AlertOutcome[];
};

const nothing: BatchResult = { answers: new Map(), wake: noWake, ruled: [] };

type Settings = Required<Pick<IntakeOptions, 'batchMax' | 'lanes' | 'decideUpTo'>> & IntakeOptions;

export class Intake {
  readonly #options: Settings;
  /** By integration: its events are committed one batch after another. */
  readonly #queue: ServedQueue<Waiting>;
  readonly #room: Room;
  #running = 0;
  #isStoring = true;
  #idle: (() => void)[] = [];

  constructor(options: IntakeOptions) {
    this.#options = { ...defaults, ...options };
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
    const { slug } = arrival;
    const type = this.#options.typeOf(slug, arrival.path);
    const event = this.#eventOf(arrival, type);
    const reading: Reading = type
      ? await this.#options.read(event, type, {
          name: arrival.integrationName,
          mapping: arrival.mapping ?? null,
        })
      : { unreadable: `integrations of type ${slug} are not supported by this version` };
    const bytes = bytesOf(event);
    if (!slot.resize(bytes + memoryOf(reading))) return full;
    const weight = alertsIn({ event, reading }) + Math.floor(bytes / BYTES_LIKE_AN_ALERT);
    return await new Promise((resolve, reject) => {
      this.#queue.push({ event, reading, slug, weight, resolve, reject });
      this.#startLane();
    });
  }

  /** Resolves when no event waits or is in progress. */
  async drained(): Promise<void> {
    if (this.#running === 0 && this.#queue.size === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #eventOf(arrival: Arrival, type: IntegrationType | undefined): StoredEvent {
    const { sent } = arrival;
    return {
      organization_id: arrival.organizationId,
      id: this.#options.ids.next(),
      integration_id: arrival.integrationId,
      received_at: this.#options.clock.now(),
      source: arrival.source,
      path: arrival.path,
      method: sent?.method ?? null,
      query: sent ? storedQuery(sent.query) : null,
      headers: sent ? storedHeaders(type, sent.headers) : null,
      content_type: arrival.contentType,
      body: arrival.body,
      mapping_revision: arrival.mapping?.revision ?? null,
      mail: arrival.mail ?? null,
    };
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
   * Accepts one batch in one transaction. The batch is taken after the transaction has begun, so
   * that it includes events that arrived meanwhile or while another lane committed.
   */
  async #processBatch(): Promise<void> {
    const { ledger, committed, batchMax } = this.#options;
    let batch: ServedBatch<Waiting> | null = null;
    try {
      const { answers, wake, ruled } = await ledger.transact(async (tx) => {
        batch ??= await this.#queue.take(batchMax);
        const accepted = await this.#accept(tx, batch);
        // The database's locks keep the order from here on, so that the next batch need not wait
        // for the commit. Events that are stored undecided take no locks: there it must wait.
        if (!accepted.wake.backlog) batch.done();
        return accepted;
      });
      this.#isStoring = true;
      committed(wake);
      for (const outcome of ruled) this.#options.ruled(outcome);
      for (const waiting of this.#itemsOf(batch))
        waiting.resolve(answers.get(waiting.event.id) ?? pendingAnswer(waiting));
    } catch (error) {
      // Nothing was taken if no transaction began, and the senders still need an answer. `take`
      // waits while all keys are being served, so that the lane does not spin.
      batch ??= await this.#queue.take(batchMax);
      await this.#storeOnly(this.#itemsOf(batch), error);
    } finally {
      this.#finish(batch);
    }
  }

  /** A batch that cannot be decided as a whole is stored, to be decided in smaller pieces. */
  async #storeOnly(items: readonly Waiting[], error: unknown): Promise<void> {
    const { ledger, committed, log } = this.#options;
    const events = items.map(({ event }) => ({ event, decision: null }));
    try {
      if (events.length > 0) await ledger.transact((tx) => tx.insertEvents(events));
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

  async #accept(tx: IntakeTx, { items, totalWeight }: ServedBatch<Waiting>): Promise<BatchResult> {
    if (items.length === 0) return nothing;
    if (totalWeight > this.#options.decideUpTo) {
      await tx.insertEvents(items.map(({ event }) => ({ event, decision: null })));
      return { ...nothing, wake: { ...noWake, backlog: true } };
    }
    const { ids, clock, faults } = this.#options;
    const loadedAt = clock.now();
    const keys = integrationsOf(items.map(({ event }) => event));
    // All are sent at once and run in this order: the locks come first.
    const [, backlogged, loaded] = await Promise.all([
      tx.lockIntegrations(keys),
      tx.withBacklog(keys),
      loadDecisionInput(tx, items, loadedAt),
    ]);
    // Events of an integration that has stored ones must wait for these.
    const decidable = items.filter(({ event }) => !backlogged.has(event.integration_id));
    const postponed = items.filter(({ event }) => backlogged.has(event.integration_id));
    const { configurations } = loaded;
    const current = await Promise.all(decidable.map((one) => this.#refreshed(one, configurations)));
    const isUnchanged = current.every((one, index) => one.reading === decidable[index]?.reading);
    const reloaded = isUnchanged ? loaded : await loadDecisionInput(tx, current, loadedAt);
    const input = { ...reloaded, ids, now: clock.now(), faults };
    const { decided, numbers, changes } = decideEvents(current, input);
    const [numbersOfOpened] = await Promise.all([
      tx.save(changes, input.now),
      tx.insertEvents([
        ...decided.filter((one) => one.stormEventId === null),
        ...postponed.map(({ event }) => ({ event, decision: null })),
      ]),
      tx.countStorm(stormCounts(decided)),
    ]);
    const unreadable = unreadableAmong(decided, input.configurations);
    for (const { event, reason } of unreadable)
      await tx.notifyOfUnreadableEvent(event, { reason, now: input.now });
    const context = { configurations, numbers: new Map([...numbers, ...numbersOfOpened]) };
    const answers = new Map(
      decided.map((one) => [one.event.id, decidedAnswer(one, context)] as const),
    );
    const ruled = decided.flatMap((one) => one.ruled);
    const waking = wakeOf(changes, input.now);
    return {
      answers,
      wake: {
        ...waking,
        notices: waking.notices || unreadable.length > 0,
        backlog: postponed.length > 0,
      },
      ruled,
    };
  }

  async #refreshed(waiting: Waiting, configurations: Configurations): Promise<Readable> {
    const { event, slug } = waiting;
    const integration = integrationOf(event, configurations);
    const type = integration && this.#options.typeOf(integration.slug, event.path);
    if (!integration || !type) return waiting;
    const mapping_revision = integration.mapping?.revision ?? null;
    if (integration.slug === slug && mapping_revision === event.mapping_revision) return waiting;
    const reading = await this.#options.read(event, type, integration);
    return { event: { ...event, mapping_revision }, reading };
  }
}

const bytesOf = ({ body, path, query, headers, mail }: StoredEvent): number =>
  body.byteLength + JSON.stringify([path, query, headers]).length + (mail?.text.length ?? 0);

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
