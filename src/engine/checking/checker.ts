// Checks the credentials of connections now and then, so that a page is not the first to find out.
// Each check runs beside the others: a vendor that is slow delays no other one's.
import { sendingLimits } from '../../limits/sending.ts';
import type { Clock } from '../clock.ts';

/** A connection whose check is due. */
export type DueCheck = {
  readonly organization_id: string;
  readonly id: string;
  readonly vendor: string;
  readonly claimedUntil: Temporal.Instant;
};

/** What is claimed, for this server alone until then. */
export type CheckClaim = {
  readonly now: Temporal.Instant;
  readonly until: Temporal.Instant;
  /** Of each vendor, this many at most, by its name; of others `each`. */
  readonly room: { readonly each: number; readonly of: ReadonlyMap<string, number> };
};

export type CheckerOptions = {
  readonly clock: Clock;
  readonly claim: (claim: CheckClaim) => Promise<readonly DueCheck[]>;
  /** Answers whether the connection works. */
  readonly check: (due: DueCheck) => Promise<boolean>;
  /** Unless another check was wanted meanwhile. */
  readonly putOff: (due: DueCheck, until: Temporal.Instant) => Promise<void>;
  readonly failed: (due: DueCheck, error: unknown) => void;
};

export class Checker implements AsyncDisposable {
  readonly #options: CheckerOptions;
  readonly #running = new Map<Promise<void>, string>();

  constructor(options: CheckerOptions) {
    this.#options = options;
  }

  /** Begins with those that are due, and does not wait for them. */
  async begin(): Promise<void> {
    const { clock, claim } = this.#options;
    const now = clock.now();
    const each = sendingLimits.checksOfVendor;
    const of = new Map<string, number>();
    for (const vendor of this.#running.values()) of.set(vendor, (of.get(vendor) ?? each) - 1);
    const until = now.add({ seconds: sendingLimits.checkLease });
    for (const due of await claim({ now, until, room: { each, of } })) {
      const running = this.#run(due).finally(() => this.#running.delete(running));
      this.#running.set(running, due.vendor);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.keys());
  }

  async #run(due: DueCheck): Promise<void> {
    const { clock, check, putOff, failed } = this.#options;
    try {
      const isWorking = await check(due);
      const minutes = isWorking ? sendingLimits.checkEvery : sendingLimits.checkFailingEvery;
      await putOff(due, nextCheckAt(due.id, minutes, clock.now()));
    } catch (error) {
      // The claim ends, and the next one checks it.
      failed(due, error);
    }
  }
}

/** Each connection has a moment of its own, so that those of an hour are spread over it. */
export function nextCheckAt(
  id: string,
  everyMinutes: number,
  now: Temporal.Instant,
): Temporal.Instant {
  const everyMs = everyMinutes * 60_000;
  const own = Number.parseInt(id.slice(-8), 16) % everyMs;
  const nowMs = now.epochMilliseconds;
  const sinceOwn = (((nowMs - own) % everyMs) + everyMs) % everyMs;
  return Temporal.Instant.fromEpochMilliseconds(nowMs - sinceOwn + everyMs);
}
