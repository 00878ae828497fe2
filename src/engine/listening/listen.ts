// Receives what people do at vendors that do not call: each connection is listened to by one server,
// under a lease. It is polled, and what was received is handled before the next is requested, so that
// nothing is lost; or a socket of it is held open.
import { setTimeout } from 'node:timers/promises';
import { sendingLimits } from '../../limits/sending.ts';
import type { Clock } from '../clock.ts';

/** A connection that is listened to; another version of it is another one. */
export type Listened = {
  readonly organization_id: string;
  readonly id: string;
  readonly vendor: string;
  readonly version: number;
};

type Update = {
  readonly number: number;
  /** Called again if it fails, or if this server dies before it has stored that it was handled. */
  readonly handle: () => Promise<void>;
  /** After it could not be handled. */
  readonly giveUp: () => Promise<void>;
};

export type Poll =
  | { readonly ok: true; readonly updates: readonly Update[] }
  | { readonly ok: false; readonly reason: string; readonly retryAfterSeconds?: number };

/** How a connection is listened to. */
export type Way =
  | {
      readonly kind: 'poll';
      /** What comes from that number on. It waits until there is something, or time has passed. */
      readonly poll: (listened: Listened, from: number, signal: AbortSignal) => Promise<Poll>;
    }
  | {
      readonly kind: 'socket';
      /** Handles what comes, until the socket ends, for good or to be opened anew. */
      readonly hold: (listened: Listened, signal: AbortSignal) => Promise<Ended>;
    };

/** `ok`: the vendor wants the socket to be opened anew. */
export type Ended =
  | { readonly ok: true }
  | (Extract<Poll, { readonly ok: false }> & {
      /** The vendor had let it in: if it stayed open for long, it is worth being opened again soon. */
      readonly wasOpen?: boolean;
    });

export type ListenOptions = {
  readonly clock: Clock;
  readonly wayTo: (listened: Listened) => Way;
  /** Those that are in use, and that no other server has. */
  readonly list: () => Promise<readonly Listened[]>;
  /** The number of the update to begin with; null: another server has it. */
  readonly claim: (listened: Listened, until: Temporal.Instant) => Promise<number | null>;
  /** All before this number is done, and the lease begins anew; false: another server has it. */
  readonly advance: (listened: Listened, next: number, until: Temporal.Instant) => Promise<boolean>;
  readonly failed: (listened: Listened, error: unknown) => void;
  /** After a poll that failed; twice as long after each further one, up to the longest. */
  readonly pauseMs?: number;
  /** How often the lease of an open socket begins anew. */
  readonly renewMs?: number;
};

const leaseEnd = (clock: Clock) => clock.now().add({ seconds: sendingLimits.listenerLease });

const keyOf = ({ organization_id, id, version }: Listened) => `${organization_id} ${id} ${version}`;

const defaultPauseMs = 2_000;
/** What people press and write meanwhile is done so much later. */
const longestPauseMs = 60_000;
/** A socket that ends sooner may end as soon when it is opened again. */
const steadyMs = 60_000;
const defaultRenewMs = (sendingLimits.listenerLease * 1_000) / 3;
/** Of one update that cannot be handled; then it is left out. */
const tries = 3;

type Running = {
  readonly id: string;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
};

export class Listener implements AsyncDisposable {
  readonly #options: ListenOptions;
  readonly #running = new Map<string, Running>();

  constructor(options: ListenOptions) {
    this.#options = options;
  }

  /** Begins with what is not listened to yet, and ends what is in use no more. */
  async refresh(): Promise<void> {
    const listened = await this.#options.list();
    const keys = new Set(listened.map(keyOf));
    for (const [key, { controller }] of this.#running) if (!keys.has(key)) controller.abort();
    for (const one of listened) {
      const key = keyOf(one);
      // An older version of it is ended first: two would handle the same.
      if ([...this.#running.values()].some(({ id }) => id === one.id)) continue;
      const controller = new AbortController();
      const ended = this.#run(one, controller.signal)
        .catch((error: unknown) => this.#options.failed(one, error))
        .finally(() => this.#running.delete(key));
      this.#running.set(key, { id: one.id, controller, ended });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const running = [...this.#running.values()];
    for (const { controller } of running) controller.abort();
    await Promise.all(running.map(({ ended }) => ended));
  }

  async #run(listened: Listened, signal: AbortSignal): Promise<void> {
    const { clock, claim, wayTo, pauseMs = defaultPauseMs } = this.#options;
    const way = wayTo(listened);
    let failures = 0;
    while (!signal.aborted) {
      const from = await claim(listened, leaseEnd(clock));
      if (from === null) return;
      if (way.kind === 'socket') {
        const began = clock.now();
        const ended = await this.#hold(listened, way.hold, signal);
        if (signal.aborted) return;
        failures = failuresAfter(failures, ended, began.until(clock.now()).total('milliseconds'));
        await pause(waitAfter(failures, ended, pauseMs), signal);
        continue;
      }
      const received = await way.poll(listened, from, signal);
      if (signal.aborted) return;
      failures = received.ok ? 0 : failures + 1;
      if (!received.ok) {
        await pause(waitAfter(failures, received, pauseMs), signal);
        continue;
      }
      for (const update of received.updates)
        if (signal.aborted || !(await this.#take(listened, update, signal))) return;
    }
  }

  /** The lease is renewed for as long as the socket is open. */
  async #hold(
    listened: Listened,
    hold: Extract<Way, { readonly kind: 'socket' }>['hold'],
    signal: AbortSignal,
  ): Promise<Ended> {
    const lost = new AbortController();
    const ended = new AbortController();
    const renewing = this.#renew(listened, lost, AbortSignal.any([signal, ended.signal]));
    try {
      return await hold(listened, AbortSignal.any([signal, lost.signal]));
    } finally {
      ended.abort();
      await renewing;
    }
  }

  async #renew(listened: Listened, lost: AbortController, signal: AbortSignal): Promise<void> {
    const { clock, claim, failed, renewMs = defaultRenewMs } = this.#options;
    for (;;) {
      await pause(renewMs, signal);
      if (signal.aborted) return;
      try {
        if ((await claim(listened, leaseEnd(clock))) !== null) continue;
        lost.abort();
        return;
      } catch (error) {
        // While the database is away, no other server takes it over either.
        failed(listened, error);
      }
    }
  }

  /** False: what follows is for whoever listens next. */
  async #take(listened: Listened, update: Update, signal: AbortSignal): Promise<boolean> {
    const { clock, advance } = this.#options;
    if (!(await this.#handle(listened, update, signal))) return false;
    return advance(listened, update.number + 1, leaseEnd(clock));
  }

  /** False: it is to be handled by whoever listens next. */
  async #handle(listened: Listened, update: Update, signal: AbortSignal): Promise<boolean> {
    const { failed, pauseMs = defaultPauseMs } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await update.handle();
        return true;
      } catch (error) {
        failed(listened, error);
        if (attempt >= tries) {
          await update.giveUp().catch((late: unknown) => failed(listened, late));
          return true;
        }
        await pause(pauseMs, signal);
        if (signal.aborted) return false;
      }
    }
  }
}

/** How many in a row, with this one: one that was open for so long counts no earlier ones. */
export const failuresAfter = (before: number, ended: Ended, heldMs: number): number =>
  (ended.ok || ended.wasOpen) && heldMs >= steadyMs ? 1 : before + 1;

/** The first end that the vendor wants is followed at once. */
export const waitAfter = (failures: number, ended: Ended, pauseMs = defaultPauseMs): number => {
  if (!ended.ok && ended.retryAfterSeconds) return ended.retryAfterSeconds * 1_000;
  const counted = ended.ok ? failures - 1 : failures;
  return counted === 0 ? 0 : Math.min(pauseMs * 2 ** (counted - 1), longestPauseMs);
};

/** Until that time is over, or it is to stop. */
const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  if (ms > 0) await setTimeout(ms, undefined, { signal }).catch(() => undefined);
};
