import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** A loop that works until nothing is due, then sleeps until something is. */
export type Loop = AsyncDisposable & {
  /** Something may be due now. */
  poke(): void;
};

type LoopOptions = {
  readonly name: string;
  /** Does one piece of work; answers how much there was. */
  readonly work: () => Promise<number>;
  /** When there will be work again, as far as is known. */
  readonly next: () => Promise<Temporal.Instant | null>;
  readonly clock: Clock;
  readonly log: Log;
  readonly failed?: (error: unknown) => void;
};

/** Looked at this often in any case: other processes may have left something. */
const pollMs = 1_000;

export function startLoop(options: LoopOptions): Loop {
  const { clock, log } = options;
  let stopping = false;
  let poked = false;
  let wake = () => {};

  async function sleep(): Promise<void> {
    const next = await options.next();
    const ms = next === null ? pollMs : next.epochMilliseconds - clock.now().epochMilliseconds;
    if (poked || stopping || ms <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(ms, pollMs));
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs);
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
        if ((await options.work()) === 0) await sleep();
      } catch (error) {
        options.failed?.(error);
        log.error({ err: error, loop: options.name }, 'the loop failed; it goes on in a second');
        if (!stopping) await pause();
      }
    }
  }

  const running = run();
  return {
    poke() {
      poked = true;
      wake();
    },
    async [Symbol.asyncDispose]() {
      stopping = true;
      wake();
      await running;
    },
  };
}
