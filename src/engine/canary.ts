// Sends a canary event through the whole path every minute: it is accepted, decided and paged to a
// channel without people, and its receipt is recorded. The operator's heartbeat address is called
// only while that works.
import type { Clock, Machine } from './clock.ts';
import type { Ids } from './ids.ts';
import type { Intake } from './intake/intake.ts';
import { failureOf, type Log } from './log.ts';
import type { Channel, Delivery } from './sending/channel.ts';

const intervalSeconds = 60;
/** A page later than this is worth a line in the log. */
const lateSeconds = 5;
/** Less than the interval. */
const timeoutSeconds = 50;
/** Rows of canaries are kept this long, so that an operator can see why one failed. */
const retentionMinutes = 5;
const firstCheckMs = 20;
const maxCheckMs = 1_000;

/** Accepts every page and delivers it to nobody. */
export const canaryChannel: Channel = { send: async () => ({ outcome: 'delivered' }) };

/** What canaries need of storage. */
export type CanaryLedger = {
  /** When the page of the alert with this key was handed over; null: not yet. */
  handedOverAt(dedupKey: string): Promise<Temporal.Instant | null>;
  removeBefore(instant: Temporal.Instant): Promise<void>;
};

export type CanaryOptions = {
  readonly intake: Pick<Intake, 'receive'>;
  readonly integration: { readonly organizationId: string; readonly integrationId: string };
  readonly ledger: CanaryLedger;
  readonly clock: Clock;
  /** How long it waits goes by a clock that nobody sets. */
  readonly machine: Machine;
  readonly ids: Ids;
  readonly log: Log;
  readonly arrived: (seconds: number, now: Temporal.Instant) => void;
  readonly failed: () => void;
  /** Calls the operator's address; null: there is none. */
  readonly heartbeat: (() => Promise<Delivery>) | null;
  readonly heartbeatFailed: () => void;
};

type Flight = {
  readonly key: string;
  readonly sentAt: Temporal.Instant;
  /** This and the next are on the steady clock, in milliseconds. */
  readonly sentMs: number;
  checkMs: number;
  /** Why its page will not be sent. */
  problem: string | null;
  isLate: boolean;
};

type HandedOver = { readonly at: Temporal.Instant; readonly waitedMs: number };

/** For a loop: when there is work, and the work. */
export class Canary {
  readonly #options: CanaryOptions;
  #dueMs: number;
  #flight: Flight | null = null;

  constructor(options: CanaryOptions) {
    this.#options = options;
    this.#dueMs = this.#steadyMs() + intervalSeconds * 1_000;
  }

  #steadyMs(): number {
    return this.#options.machine.steady();
  }

  next(): Temporal.Instant {
    const milliseconds = Math.ceil((this.#flight?.checkMs ?? this.#dueMs) - this.#steadyMs());
    return this.#options.clock.now().add({ milliseconds });
  }

  /** Sends a canary, or checks the one in flight. */
  async work(): Promise<number> {
    const now = this.#options.clock.now();
    if (this.#flight) await this.#check(this.#flight);
    else {
      this.#send(now);
      await this.#options.ledger.removeBefore(now.subtract({ minutes: retentionMinutes }));
    }
    return 1;
  }

  #send(now: Temporal.Instant): void {
    const key = this.#options.ids.next();
    const sentMs = this.#steadyMs();
    const checkMs = sentMs + firstCheckMs;
    const flight: Flight = { key, sentAt: now, sentMs, checkMs, problem: null, isLate: false };
    this.#flight = flight;
    this.#dueMs = sentMs + intervalSeconds * 1_000;
    // Not awaited: if the database does not answer, the canary must still fail in time.
    this.#receive(key, 'trigger').then(
      (problem) => {
        flight.problem = problem;
      },
      (error: unknown) => {
        flight.problem = failureOf(error);
      },
    );
  }

  /** Why the event was not accepted; null: it was. */
  async #receive(key: string, status: 'trigger' | 'resolve'): Promise<string | null> {
    const { intake, integration } = this.#options;
    const accepted = await intake.receive({
      ...integration,
      slug: 'webhook',
      integrationName: 'Canary',
      source: 'http',
      path: '',
      contentType: 'application/json',
      body: Buffer.from(JSON.stringify({ title: 'Canary', status, dedup_key: key })),
    });
    if (accepted.type !== 'accepted') return `the event was answered as ${accepted.type}`;
    const isAccepted = accepted.alerts.every(({ outcome }) => outcome !== 'dropped');
    return isAccepted ? null : 'the event was dropped';
  }

  async #check(flight: Flight): Promise<void> {
    if (flight.problem !== null) return this.#fail(flight.problem);
    const at = await this.#options.ledger.handedOverAt(flight.key);
    const nowMs = this.#steadyMs();
    const waitedMs = nowMs - flight.sentMs;
    if (at !== null) return this.#succeed(flight, { at, waitedMs });
    if (waitedMs >= timeoutSeconds * 1_000)
      return this.#fail(`its page was not handed over within ${timeoutSeconds} s`);
    if (waitedMs >= lateSeconds * 1_000 && !flight.isLate) {
      flight.isLate = true;
      this.#options.log.warn(
        { seconds: Math.round(waitedMs / 1_000) },
        'the canary’s page is late',
      );
    }
    const waitMs = Math.min(Math.max(waitedMs, firstCheckMs), maxCheckMs);
    flight.checkMs = nowMs + waitMs;
  }

  #fail(reason: string): void {
    this.#flight = null;
    this.#options.failed();
    this.#options.log.error({ reason }, 'the canary failed: pages may not arrive');
  }

  async #succeed({ key, sentAt, isLate }: Flight, { at, waitedMs }: HandedOver): Promise<void> {
    const { arrived, clock, log } = this.#options;
    this.#flight = null;
    // The clock by which it was handed over may have been set meanwhile.
    const ms = at.epochMilliseconds - sentAt.epochMilliseconds;
    const seconds = Math.min(Math.max(0, ms), waitedMs) / 1_000;
    arrived(seconds, clock.now());
    if (isLate) log.warn({ seconds }, 'the canary’s page was handed over late');
    await Promise.all([this.#beat(), this.#receive(key, 'resolve')]);
  }

  async #beat(): Promise<void> {
    const { heartbeat, heartbeatFailed, log } = this.#options;
    const delivery = await heartbeat?.();
    if (delivery === undefined || delivery.outcome === 'delivered') return;
    heartbeatFailed();
    // The address is a secret: anybody who knows it could call it and hide an outage.
    log.warn({ reason: delivery.reason }, 'the address of PAGER_HEARTBEAT_URL could not be called');
  }
}
