// Events in: accepted when they are durable, many to one commit, decided in the same commit when
// there is time for it and right after from what is stored when there is not.
import type { IntegrationType, Reading } from '../alerts/alert.ts';
import type { Receiver } from '../incidents/receive.ts';
import type { Clock } from './clock.ts';
import { type Decided, decideEvents, keysOf, type Readable } from './decide.ts';
import type { Ids } from './ids.ts';
import {
  type Decision,
  type Key,
  type Ledger,
  type StoredEvent,
  type Tx,
  type Wake,
  wakeOf,
} from './ledger.ts';
import type { Log } from './log.ts';
import { createFairQueue, type FairQueue } from './queue.ts';

/** A request whose token was recognised. */
export type Arrival = {
  readonly organizationId: string;
  readonly integrationId: string;
  /** As known when it arrived; the decision reads again if they have changed. */
  readonly slug: string;
  readonly integrationName: string;
  readonly door: 'http' | 'mail';
  readonly path: string;
  readonly contentType: string;
  readonly body: Uint8Array;
};

export type AlertAnswer = {
  readonly dedup_key: string;
  readonly outcome: string;
  readonly incident: number | null;
};

export type Accepted =
  | { readonly type: 'accepted'; readonly eventId: string; readonly alerts: readonly AlertAnswer[] }
  | { readonly type: 'unreadable'; readonly eventId: string; readonly reason: string }
  | { readonly type: 'archived'; readonly eventId: string };

/** The intake queue is full: try again in a second. */
export const full = { type: 'full' } as const;

export type IntakeOptions = {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly typeOf: (slug: string) => IntegrationType | undefined;
  readonly read: (event: StoredEvent, type: IntegrationType, name: string) => Promise<Reading>;
  /** Called after each commit, with what it may have made due. */
  readonly committed: (wake: Wake) => void;
  readonly queueMax?: number;
  readonly batchMax?: number;
  readonly lanes?: number;
  /** More waiting than this: store first, decide after. */
  readonly decideUpTo?: number;
};

type Waiting = Readable & {
  readonly arrival: Arrival;
  readonly resolve: (accepted: Accepted) => void;
  readonly reject: (error: unknown) => void;
};

type Answered = { readonly answers: ReadonlyMap<string, Accepted>; readonly wake: Wake };

type Settings = Required<Pick<IntakeOptions, 'batchMax' | 'lanes' | 'decideUpTo'>> & IntakeOptions;

export class Intake {
  readonly #options: Settings;
  readonly #queue: FairQueue<Waiting>;
  /** Integrations whose events are being committed: their next events wait for that. */
  readonly #served = new Set<string>();
  #running = 0;
  #idle: (() => void)[] = [];

  constructor(options: IntakeOptions) {
    this.#options = { batchMax: 500, lanes: 2, decideUpTo: 1_000, ...options };
    this.#queue = createFairQueue(options.queueMax ?? 10_000);
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** Answers when the event is durable. Rejects when storage failed; nothing is kept then. */
  async receive(arrival: Arrival): Promise<Accepted | typeof full> {
    const event = this.#eventOf(arrival);
    const type = this.#options.typeOf(arrival.slug);
    const reading: Reading = type
      ? await this.#options.read(event, type, arrival.integrationName)
      : { unreadable: `integrations of type ${arrival.slug} are not supported by this version` };
    return new Promise((resolve, reject) => {
      const waiting = { event, reading, arrival, resolve, reject };
      if (!this.#queue.push(arrival.integrationId, waiting)) resolve(full);
      else if (!this.#served.has(arrival.integrationId)) this.#startLane();
    });
  }

  /** When nothing is waiting or under way any more. */
  async drained(): Promise<void> {
    if (this.#running === 0 && this.#queue.size === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #eventOf(arrival: Arrival): StoredEvent {
    return {
      organization_id: arrival.organizationId,
      id: this.#options.ids.next(),
      integration_id: arrival.integrationId,
      received_at: this.#options.clock.now(),
      door: arrival.door,
      path: arrival.path,
      content_type: arrival.contentType,
      body: arrival.body,
    };
  }

  #startLane(): void {
    if (this.#running >= this.#options.lanes) return;
    this.#running += 1;
    // One turn of the event loop gathers what arrived together.
    setImmediate(() => void this.#runLane());
  }

  async #runLane(): Promise<void> {
    for (;;) {
      const hurried = this.#queue.size > this.#options.decideUpTo;
      const batch = this.#queue.take(this.#options.batchMax, this.#served);
      if (batch.length === 0) break;
      const integrations = new Set(batch.map(({ event }) => event.integration_id));
      for (const id of integrations) this.#served.add(id);
      await this.#commit(batch, hurried);
      for (const id of integrations) this.#served.delete(id);
    }
    this.#running -= 1;
    if (this.#running > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #commit(batch: readonly Waiting[], hurried: boolean): Promise<void> {
    const { ledger, committed } = this.#options;
    try {
      const { answers, wake } = await ledger.transact((tx) => this.#accept(tx, batch, hurried));
      committed(wake);
      for (const waiting of batch)
        waiting.resolve(answers.get(waiting.event.id) ?? accepted(waiting));
    } catch (error) {
      this.#options.log.error({ err: error, events: batch.length }, 'events could not be stored');
      for (const waiting of batch) waiting.reject(error);
    }
  }

  async #accept(tx: Tx, batch: readonly Waiting[], hurried: boolean): Promise<Answered> {
    if (hurried) {
      await tx.insertEvents(batch.map(({ event }) => ({ event, decision: null })));
      return { answers: new Map(), wake: { incidents: false, notices: false, backlog: true } };
    }
    const keys = integrationsOf(batch.map(({ event }) => event));
    // Sent at once and answered in this order: the locks come first.
    const [receivers, behind, known] = await Promise.all([
      tx.receivers(keys),
      tx.withBacklog(keys),
      tx.known(keysOf(batch)),
    ]);
    // What is stored and not decided goes first, whatever came meanwhile.
    const now = batch.filter(({ event }) => !behind.has(event.integration_id));
    const later = batch.filter(({ event }) => behind.has(event.integration_id));
    const current = await Promise.all(now.map((one) => this.#refreshed(one, receivers)));
    const isAsRead = current.every((one, index) => one.reading === now[index]?.reading);
    const { ids, clock, log } = this.#options;
    const deciding = { tx, ids, now: clock.now(), log, ...(isAsRead && { known }) };
    const { decided, numbers, changes } = await decideEvents(current, receivers, deciding);
    const [given] = await Promise.all([
      tx.save(changes, deciding.now),
      tx.insertEvents([
        ...decided.filter((one) => one.stormEventId === null),
        ...later.map(({ event }) => ({ event, decision: null })),
      ]),
      tx.countStorm(stormCounts(decided)),
    ]);
    const context = { receivers, numbers: new Map([...numbers, ...given]) };
    const answers = new Map(decided.map((one) => [one.event.id, answerOf(one, context)] as const));
    return { answers, wake: { ...wakeOf(changes), backlog: later.length > 0 } };
  }

  async #refreshed(waiting: Waiting, receivers: ReadonlyMap<string, Receiver>): Promise<Readable> {
    const receiver = receivers.get(waiting.event.integration_id);
    const type = receiver && this.#options.typeOf(receiver.slug);
    if (!receiver || !type || receiver.slug === waiting.arrival.slug) return waiting;
    const reading = await this.#options.read(waiting.event, type, receiver.name);
    return { event: waiting.event, reading };
  }
}

const accepted = (waiting: Waiting): Accepted =>
  'unreadable' in waiting.reading
    ? { type: 'unreadable', eventId: waiting.event.id, reason: waiting.reading.unreadable }
    : {
        type: 'accepted',
        eventId: waiting.event.id,
        alerts: waiting.reading.alerts.map(({ dedup_key }) => ({
          dedup_key,
          outcome: 'accepted',
          incident: null,
        })),
      };

function answerOf(
  one: Decided,
  context: {
    readonly receivers: ReadonlyMap<string, Receiver>;
    readonly numbers: ReadonlyMap<string, number>;
  },
): Accepted {
  const eventId = one.stormEventId ?? one.event.id;
  const receiver = context.receivers.get(one.event.integration_id);
  if (!receiver || receiver.archived) return { type: 'archived', eventId };
  if (one.decision.outcome === 'unreadable')
    return { type: 'unreadable', eventId, reason: one.decision.reason ?? '' };
  const alerts = one.decision.alerts.map(({ dedup_key, outcome, incident_id }) => ({
    dedup_key,
    outcome,
    incident: incident_id === null ? null : (context.numbers.get(incident_id) ?? null),
  }));
  return { type: 'accepted', eventId, alerts };
}

function integrationsOf(events: readonly StoredEvent[]): Key[] {
  const keys = new Map<string, Key>();
  for (const { organization_id, integration_id } of events)
    keys.set(integration_id, { organization_id, integration_id, dedup_key: '' });
  return [...keys.values()];
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

/** One piece of the backlog: decides stored events of one integration. Answers how many. */
export async function decideBacklog(
  options: Pick<IntakeOptions, 'ledger' | 'clock' | 'ids' | 'typeOf' | 'read'> &
    Partial<Pick<IntakeOptions, 'log'>>,
  limit = 500,
): Promise<number> {
  return options.ledger.transact(async (tx) => {
    const events = await tx.backlog(limit);
    if (events.length === 0) return 0;
    const receivers = await tx.receivers(integrationsOf(events));
    const readables = await Promise.all(
      events.map(async (event): Promise<Readable> => {
        const receiver = receivers.get(event.integration_id);
        const type = receiver && options.typeOf(receiver.slug);
        const reading: Reading = type
          ? await options.read(event, type, receiver.name)
          : { unreadable: 'the integration type is not supported by this version' };
        return { event, reading };
      }),
    );
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
    return events.length;
  });
}
