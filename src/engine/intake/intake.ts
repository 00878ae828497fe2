// Events in: accepted when they are durable, many to one commit, decided in the same commit when
// there is time for it and right after from what is stored when there is not.

import { Room, type Slot } from '../../admission/room.ts';
import { ServedQueue, type Serving } from '../../admission/served-queue.ts';
import type { EventSource, IntegrationType, Mail, Reading } from '../../alerts/alert.ts';
import { memoryOf } from '../../alerts/memory.ts';
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
} from './decide.ts';

/** A request whose token was recognised. */
export type Arrival = {
  readonly organizationId: string;
  readonly integrationId: string;
  /** As known when it arrived; the decision reads again if they have changed. */
  readonly slug: string;
  readonly integrationName: string;
  readonly source: EventSource;
  /** By HTTP. */
  readonly sent?: {
    readonly method: string;
    readonly query: string;
    readonly headers: Parameters<typeof storedHeaders>[1];
  };
  readonly path: string;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** What was read of it, if it is one. */
  readonly mail?: Mail;
};

/** So much of a body weighs as much as an alert, for a transaction holds bodies once more. */
const BYTES_LIKE_AN_ALERT = 8 * 1024;

const deciding = {
  batchMax: eventsLimits.batch,
  lanes: eventsLimits.lanes,
  decideUpTo: eventsLimits.decidedUpTo,
};

/** There is no room: try again in a second. */
export const full = { type: 'full' } as const;

export type IntakeOptions = {
  readonly ledger: Transactor<IntakeTx>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly typeOf: (slug: string) => IntegrationType | undefined;
  readonly read: (event: StoredEvent, type: IntegrationType, name: string) => Promise<Reading>;
  /** Called after each commit, with what it may have made due. */
  readonly committed: (wake: Wake) => void;
  /** Called for each alert that rules matched, with what became of it. */
  readonly ruled: (outcome: AlertOutcome) => void;
  /** Told of alerts and events that fail alone. */
  readonly faults: Faults;
  readonly eventsMax?: number;
  readonly bytesMax?: number;
  /** Alerts in one transaction, unless one request holds more. */
  readonly batchMax?: number;
  readonly lanes?: number;
  /** More alerts waiting than this: store first, decide after. */
  readonly decideUpTo?: number;
};

type Waiting = Readable & {
  /** As it was known when it was read. */
  readonly slug: string;
  readonly weight: number;
  readonly resolve: (accepted: IntakeAnswer) => void;
  readonly reject: (error: unknown) => void;
};

type Answered = {
  readonly answers: ReadonlyMap<string, IntakeAnswer>;
  readonly wake: Wake;
  readonly ruled: readonly AlertOutcome[];
};

const nothing: Answered = { answers: new Map(), wake: noWake, ruled: [] };

type Settings = Required<Pick<IntakeOptions, 'batchMax' | 'lanes' | 'decideUpTo'>> & IntakeOptions;

export class Intake {
  readonly #options: Settings;
  /** In lines by integration: events of one are committed one batch after another. */
  readonly #queue: ServedQueue<Waiting>;
  readonly #room: Room;
  #running = 0;
  #isStoring = true;
  #idle: (() => void)[] = [];

  constructor(options: IntakeOptions) {
    this.#options = { ...deciding, ...options };
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

  /** Of memory for events under way. */
  get bytes(): number {
    return this.#room.bytes;
  }

  /** Whether the last events could be stored. */
  get isStoring(): boolean {
    return this.#isStoring;
  }

  /** To be asked before a body of so many bytes is read; null: there is no room for it. */
  enter(integrationId: string, bytes: number): Slot | null {
    return this.#room.enter(integrationId, bytes);
  }

  /**
   * Answers when the event is durable. Rejects when storage failed; nothing is kept then. The
   * place is given back in either case.
   */
  async receive(
    arrival: Arrival,
    place = this.enter(arrival.integrationId, arrival.body.byteLength),
  ): Promise<IntakeAnswer | typeof full> {
    using held = place;
    if (held === null) return full;
    const { slug } = arrival;
    const type = this.#options.typeOf(slug);
    const event = this.#eventOf(arrival, type);
    const reading: Reading = type
      ? await this.#options.read(event, type, arrival.integrationName)
      : { unreadable: `integrations of type ${slug} are not supported by this version` };
    const bytes = bytesOf(event);
    if (!held.resize(bytes + memoryOf(reading))) return full;
    const weight = alertsIn({ event, reading }) + Math.floor(bytes / BYTES_LIKE_AN_ALERT);
    return await new Promise((resolve, reject) => {
      this.#queue.push({ event, reading, slug, weight, resolve, reject });
      this.#startLane();
    });
  }

  /** When nothing is waiting or under way any more. */
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
      mail: arrival.mail ?? null,
    };
  }

  #startLane(): void {
    if (this.#running >= this.#options.lanes) return;
    this.#running += 1;
    // One turn of the event loop gathers what arrived together.
    setImmediate(() => void this.#runLane());
  }

  async #runLane(): Promise<void> {
    while (this.#queue.size > 0) await this.#serve();
    this.#running -= 1;
    if (this.#running > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /**
   * One batch in one transaction. It is taken when the transaction has begun: what arrives on the
   * way to the database and back, or while another lane commits, is in it.
   */
  async #serve(): Promise<void> {
    const { ledger, committed, batchMax } = this.#options;
    let serving: Serving<Waiting> | null = null;
    try {
      const { answers, wake, ruled } = await ledger.transact(async (tx) => {
        serving ??= await this.#queue.take(batchMax);
        const answered = await this.#accept(tx, serving);
        // The database's locks keep the order from here on: the next batch need not wait for the
        // commit. Events stored for later take no locks; for them it must.
        if (!answered.wake.backlog) serving.done();
        return answered;
      });
      this.#isStoring = true;
      committed(wake);
      for (const outcome of ruled) this.#options.ruled(outcome);
      for (const waiting of this.#itemsOf(serving))
        waiting.resolve(answers.get(waiting.event.id) ?? pendingAnswer(waiting));
    } catch (error) {
      // Without a transaction nothing was taken; those who wait are told all the same. Taken as ever,
      // for whoever finds all lines being served must not ask again without a pause.
      serving ??= await this.#queue.take(batchMax);
      await this.#storeOnly(this.#itemsOf(serving), error);
    } finally {
      this.#doneWith(serving);
    }
  }

  /** What cannot be decided together is stored, and then decided in smaller and smaller pieces. */
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
    log.error({ err: error, events: items.length }, 'events could not be decided as they came');
    committed({ ...noWake, backlog: true });
    for (const waiting of items) waiting.resolve(pendingAnswer(waiting));
  }

  // The assignment in the transaction's callback is invisible to the compiler's flow analysis.
  #itemsOf(serving: Serving<Waiting> | null): readonly Waiting[] {
    return serving?.items ?? [];
  }

  #doneWith(serving: Serving<Waiting> | null): void {
    serving?.done();
  }

  async #accept(tx: IntakeTx, { items: batch, outOf }: Serving<Waiting>): Promise<Answered> {
    if (batch.length === 0) return nothing;
    if (outOf > this.#options.decideUpTo) {
      await tx.insertEvents(batch.map(({ event }) => ({ event, decision: null })));
      return { ...nothing, wake: { ...noWake, backlog: true } };
    }
    const { ids, clock, faults } = this.#options;
    const at = clock.now();
    const keys = integrationsOf(batch.map(({ event }) => event));
    // Sent at once and answered in this order: the locks come first.
    const [, behind, found] = await Promise.all([
      tx.lockIntegrations(keys),
      tx.withBacklog(keys),
      loadDecisionInput(tx, batch, at),
    ]);
    // What is stored and not decided goes first, whatever came meanwhile.
    const now = batch.filter(({ event }) => !behind.has(event.integration_id));
    const later = batch.filter(({ event }) => behind.has(event.integration_id));
    const { configurations } = found;
    const current = await Promise.all(now.map((one) => this.#refreshed(one, configurations)));
    const isAsRead = current.every((one, index) => one.reading === now[index]?.reading);
    const asked = isAsRead ? found : await loadDecisionInput(tx, current, at);
    const deciding = { ...asked, ids, now: clock.now(), faults };
    const { decided, numbers, changes } = decideEvents(current, deciding);
    const [given] = await Promise.all([
      tx.save(changes, deciding.now),
      tx.insertEvents([
        ...decided.filter((one) => one.stormEventId === null),
        ...later.map(({ event }) => ({ event, decision: null })),
      ]),
      tx.countStorm(stormCounts(decided)),
    ]);
    const context = { configurations, numbers: new Map([...numbers, ...given]) };
    const answers = new Map(
      decided.map((one) => [one.event.id, decidedAnswer(one, context)] as const),
    );
    const ruled = decided.flatMap((one) => one.ruled);
    return {
      answers,
      wake: { ...wakeOf(changes, deciding.now), backlog: later.length > 0 },
      ruled,
    };
  }

  async #refreshed(waiting: Waiting, configurations: Configurations): Promise<Readable> {
    const { event, slug } = waiting;
    const integration = integrationOf(event, configurations);
    const type = integration && this.#options.typeOf(integration.slug);
    if (!integration || !type || integration.slug === slug) return waiting;
    return { event, reading: await this.#options.read(event, type, integration.name) };
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
