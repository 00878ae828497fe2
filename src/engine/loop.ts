import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** A loop that works until nothing is due, then sleeps until something is. */
export type Loop = AsyncDisposable & {
  /** Something may be due now. With `isDue` the loop works at once, without asking `next` first. */
  poke(hint?: { readonly isDue: boolean }): void;
};

type LoopOptions = {
  readonly name: string;
  /** Does one piece of work; returns how much there was to do. */
  readonly work: () => Promise<number>;
  /** When the next work is due, as far as is known. */
  readonly next: () => Promise<Temporal.Instant | null>;
  /**
   * When the next work after that instant is due. For loops that are poked as soon as due work that
   * was not available becomes available; the other loops ask for it again and again.
   */
  readonly nextAfter?: (now: Temporal.Instant) => Promise<Temporal.Instant | null>;
  readonly clock: Clock;
  readonly log: Log;
  readonly failed: (error: unknown) => void;
};

/** Every loop checks for work this often, since other processes may have left some. */
export const pollMs = 1_000;
/** Due work that is not available (locked elsewhere, recipient busy) is tried again after this. */
export const retryMs = 20;

/** Of what is done every so often: a clock that went back makes it wait no longer. */
export const dueWithin = (
  dueAt: Temporal.Instant,
  longest: Temporal.DurationLike,
  now: Temporal.Instant,
): Temporal.Instant => (Temporal.Instant.compare(dueAt, now.add(longest)) > 0 ? now : dueAt);

export function startLoop(options: LoopOptions): Loop {
  const { clock, log } = options;
  let stopping = false;
  let poked = false;
  let isDue = false;
  let wake = () => {};

  /** Works if something is due; returns how long to sleep after. */
  async function round(): Promise<number> {
    const ms = isDue ? 0 : msUntil(await options.next());
    if (ms > 0) return ms;
    isDue = false;
    const now = clock.now();
    if ((await options.work()) > 0) return 0;
    return options.nextAfter ? msUntil(await options.nextAfter(now)) : retryMs;
  }

  function msUntil(next: Temporal.Instant | null): number {
    if (next === null) return pollMs;
    return Math.min(next.epochMilliseconds - clock.now().epochMilliseconds, pollMs);
  }

  async function pause(ms: number): Promise<void> {
    if (stopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function run(): Promise<void> {
    while (!stopping) {
      poked = false;
      try {
        const ms = await round();
        if (ms > 0 && !poked) await pause(ms);
      } catch (error) {
        options.failed(error);
        log.error({ err: error, loop: options.name }, 'the loop failed; retrying');
        await pause(pollMs);
      }
    }
  }

  const running = run();
  return {
    poke(hint) {
      poked = true;
      isDue ||= hint?.isDue ?? false;
      wake();
    },
    async [Symbol.asyncDispose]() {
      stopping = true;
      wake();
      await running;
    },
  };
}
