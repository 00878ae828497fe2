// What computes in the tests: a pool as a server has one.
import { type Computations, type Compute, computerOf } from '../src/api/computing/computer.ts';
import { silentLog } from '../src/engine/log.ts';
import { type Finished, Pool, type PoolOptions } from '../src/workers/pool.ts';

type Computer = AsyncDisposable & { readonly compute: Compute };

/** With no limits but those given. */
export function openComputer(options: Partial<PoolOptions> = {}): Computer {
  const pool = new Pool<Computations>({
    name: 'computations',
    file: new URL('../src/api/computing/tasks.ts', import.meta.url),
    threads: 1,
    runningPerOrganizationMax: 1,
    cpuMsMax: 300_000,
    taskMsMax: 300_000,
    heapMegabytesMax: 512,
    waitingMax: 1_000,
    perCallerMax: 1_000,
    waitMsMax: 300_000,
    log: silentLog,
    finished: () => {},
    ...options,
  });
  const end = () => pool[Symbol.asyncDispose]();
  return { compute: computerOf(() => pool), [Symbol.asyncDispose]: end };
}

const finished: Finished[] = [];

/** One of this process, whose threads end with it. */
export const { compute } = openComputer({ finished: (task) => finished.push(task) });

/** The computations that ran in its thread until now, in their order. */
export const computed = (): readonly string[] => finished.map(({ task }) => task);
