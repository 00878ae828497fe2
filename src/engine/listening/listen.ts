// Receives what people do at vendors that do not call: each connection is polled by one server, under
// a lease. What was received is handled before the next is requested, so that nothing is lost.
import { sendingLimits } from '../../limits/sending.ts';
import type { Clock } from '../clock.ts';

/** A connection that is polled; another version of it is another one. */
export type Polled = {
  readonly organization_id: string;
  readonly id: string;
  readonly version: number;
};

type Update = {
  readonly number: number;
  readonly handle: () => Promise<void>;
  /** Done twice it would do more than once: it is handled once at most, and else at least once. */
  readonly isOnce: boolean;
  /** After it could not be handled. */
  readonly giveUp: () => Promise<void>;
};

export type Poll =
  | { readonly ok: true; readonly updates: readonly Update[] }
  | { readonly ok: false; readonly reason: string; readonly retryAfterSeconds?: number };

export type ListenOptions = {
  readonly clock: Clock;
  /** Those that are in use, and that no other server polls. */
  readonly list: () => Promise<readonly Polled[]>;
  /** The number of the update to begin with; null: another server polls it. */
  readonly claim: (polled: Polled, until: Temporal.Instant) => Promise<number | null>;
  /** What comes from that number on. It waits until there is something, or some time has passed. */
  readonly poll: (polled: Polled, from: number, signal: AbortSignal) => Promise<Poll>;
  /** All before this number is done, and the lease begins anew; false: another server has it. */
  readonly advance: (polled: Polled, next: number, until: Temporal.Instant) => Promise<boolean>;
  readonly failed: (polled: Polled, error: unknown) => void;
  /** After a poll that failed; twice as long after each further one, up to the longest. */
  readonly pauseMs?: number;
};

const leaseEnd = (clock: Clock) => clock.now().add({ seconds: sendingLimits.listenerLease });

const keyOf = ({ organization_id, id, version }: Polled) => `${organization_id} ${id} ${version}`;

const defaultPauseMs = 2_000;
const longestPauseMs = 300_000;
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

  /** Begins to poll what is not polled yet, and ends what is in use no more. */
  async refresh(): Promise<void> {
    const polled = await this.#options.list();
    const keys = new Set(polled.map(keyOf));
    for (const [key, { controller }] of this.#running) if (!keys.has(key)) controller.abort();
    for (const one of polled) {
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

  async #run(polled: Polled, signal: AbortSignal): Promise<void> {
    const { clock, claim, poll, pauseMs = defaultPauseMs } = this.#options;
    let failures = 0;
    while (!signal.aborted) {
      const from = await claim(polled, leaseEnd(clock));
      if (from === null) return;
      const received = await poll(polled, from, signal);
      if (signal.aborted) return;
      if (!received.ok) {
        const ms = Math.min(pauseMs * 2 ** failures, longestPauseMs);
        failures += 1;
        await pause((received.retryAfterSeconds ?? 0) * 1_000 || ms, signal);
        continue;
      }
      failures = 0;
      for (const update of received.updates)
        if (signal.aborted || !(await this.#take(polled, update, signal))) return;
    }
  }

  /** False: what follows is for whoever polls next. */
  async #take(polled: Polled, update: Update, signal: AbortSignal): Promise<boolean> {
    const { clock, advance } = this.#options;
    const isAdvanced = () => advance(polled, update.number + 1, leaseEnd(clock));
    if (update.isOnce) {
      if (!(await isAdvanced())) return false;
      await this.#handle(polled, update, { signal, triesMax: 1 });
      return true;
    }
    return (await this.#handle(polled, update, { signal, triesMax: tries })) && isAdvanced();
  }

  /** False: it is to be handled by whoever polls next. */
  async #handle(
    polled: Polled,
    update: Update,
    { signal, triesMax }: { readonly signal: AbortSignal; readonly triesMax: number },
  ): Promise<boolean> {
    const { failed, pauseMs = defaultPauseMs } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await update.handle();
        return true;
      } catch (error) {
        failed(polled, error);
        if (attempt >= triesMax) {
          await update.giveUp().catch((late: unknown) => failed(polled, late));
          return true;
        }
        await pause(pauseMs, signal);
        if (signal.aborted) return false;
      }
    }
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
