// How fast one caller's large bodies are read: beyond what is allowed at once they wait unread, so
// that their senders wait too, instead of being refused and sending them again.
import { httpLimits } from '../../limits/http.ts';
import { memoryLimits } from '../../limits/memory.ts';

const MILLISECONDS = 1_000;

export type PaceOptions = {
  readonly bytesPerSecond: number;
  /** Bytes that nobody waits for, after a pause. */
  readonly burst: number;
  readonly patienceMs: number;
};

const byLimits: PaceOptions = {
  bytesPerSecond: httpLimits.largeBytesPerSecond,
  burst: httpLimits.largeBytesAtOnce,
  patienceMs: httpLimits.bodyPatience,
};

export class Pace {
  readonly #options: PaceOptions;
  /** When all that a caller has sent has been read at this pace, in milliseconds. */
  readonly #readAt = new Map<string, number>();

  constructor(options: PaceOptions = byLimits) {
    this.#options = options;
  }

  /** For how many milliseconds these bytes must wait; null: too long, and they are not counted. */
  enter(caller: string, bytes: number, nowMs: number): number | null {
    const { patienceMs } = this.#options;
    const waitMs = this.#waitOf(this.#after(caller, bytes, nowMs), nowMs);
    if (waitMs > patienceMs) return null;
    this.count(caller, bytes, nowMs);
    return waitMs;
  }

  /** What nobody announced has been read already: the next wait for it. */
  count(caller: string, bytes: number, nowMs: number): void {
    this.#forget(nowMs);
    this.#readAt.set(caller, this.#after(caller, bytes, nowMs));
  }

  #after(caller: string, bytes: number, nowMs: number): number {
    const from = Math.max(nowMs, this.#readAt.get(caller) ?? 0);
    return from + (bytes / this.#options.bytesPerSecond) * MILLISECONDS;
  }

  #waitOf(readAt: number, nowMs: number): number {
    const { burst, bytesPerSecond } = this.#options;
    return Math.max(0, readAt - nowMs - (burst / bytesPerSecond) * MILLISECONDS);
  }

  /** Whose pause was long enough. */
  #forget(nowMs: number): void {
    if (this.#readAt.size < memoryLimits.callers) return;
    for (const [caller, readAt] of this.#readAt) if (readAt <= nowMs) this.#readAt.delete(caller);
  }
}
