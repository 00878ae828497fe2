import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** A loop that works until nothing is due, then sleeps until something is. */
export type Loop = AsyncDisposable & {
  /** Something may be due now; if it is known to be, that is not asked for first. */
  poke(known?: { readonly isDue: boolean }): void;
};

type LoopOptions = {
  readonly name: string;
  /** Does one piece of work; answers how much of it there was to be had. */
  readonly work: () => Promise<number>;
  /** When there is work, as far as is known. */
  readonly next: () => Promise<Temporal.Instant | null>;
  /**
   * The same of what is not due yet at that instant, for loops that are poked as soon as what was
   * due and could not be had can be. Others ask for it again and again.
   */
  readonly nextAfter?: (now: Temporal.Instant) => Promise<Temporal.Instant | null>;
  readonly clock: Clock;
  readonly log: Log;
  readonly failed: (error: unknown) => void;
};

/** Looked at this often in any case: other processes may have left something. */
export const pollMs = 1_000;
/** What is due but cannot be had now (locked elsewhere, receiver busy) is asked for again after. */
const leastMs = 20;

export function startLoop(options: LoopOptions): Loop {
  const { clock, log } = options;
  let stopping = false;
  let poked = false;
  let isDue = false;
  let wake = () => {};

  /** Works if something is due; answers how long to sleep then. */
  async function round(): Promise<number> {
    const ms = isDue ? 0 : msUntil(await options.next());
    if (ms > 0) return ms;
    isDue = false;
    const now = clock.now();
    if ((await options.work()) > 0) return 0;
    return options.nextAfter ? msUntil(await options.nextAfter(now)) : leastMs;
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
        log.error({ err: error, loop: options.name }, 'the loop failed; it is tried again');
        await pause(pollMs);
      }
    }
  }

  const running = run();
  return {
    poke(known) {
      poked = true;
      isDue ||= known?.isDue ?? false;
      wake();
    },
    async [Symbol.asyncDispose]() {
      stopping = true;
      wake();
      await running;
    },
  };
}
