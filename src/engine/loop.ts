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
/** What is due but cannot be had now (locked elsewhere, receiver busy) is asked for again after. */
const leastMs = 20;

export function startLoop(options: LoopOptions): Loop {
  const { clock, log } = options;
  let stopping = false;
  let poked = false;
  let wake = () => {};

  async function sleep(): Promise<void> {
    const next = await options.next();
    const ms = next === null ? pollMs : next.epochMilliseconds - clock.now().epochMilliseconds;
    if (!poked) await pause(Math.min(Math.max(ms, leastMs), pollMs));
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
        if ((await options.work()) === 0) await sleep();
      } catch (error) {
        options.failed?.(error);
        log.error({ err: error, loop: options.name }, 'the loop failed; it goes on in a second');
        await pause(pollMs);
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
