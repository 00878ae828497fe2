// Worker threads that run the functions of one file, for work that would block the engine's thread.
// They start when needed and end when idle, are killed when a task takes too long or too much memory,
// and lower their own priority, see lower-priority.ts.
import { Piscina } from 'piscina';
import type { Log } from '../engine/log.ts';
import { type Refusal, type Requester, TaskQueue, type TaskQueueLimits } from './task-queue.ts';

const IDLE_MS = 60_000;
/** How often the processor time of a task is read. */
const CPU_SAMPLE_MS = 200;

/**
 * What a pool's file exports: functions whose one argument and result can be cloned. They open
 * nothing; what else they need they request at the `port` of their argument, see rpc.ts.
 */
export type Tasks = { readonly [name: string]: (input: never) => unknown };

export type PoolOptions = TaskQueueLimits & {
  /** The name in the log and the metrics. */
  readonly name: string;
  /** The module with the tasks. */
  readonly file: URL;
  readonly threads: number;
  /**
   * Of processor time, since a task is not at fault if the machine is busy. The start of a thread
   * counts, about 400 ms.
   */
  readonly cpuMsMax: number;
  /** By the clock, for a thread whose processor time cannot be read. */
  readonly taskMsMax: number;
  /** Of one worker's heap. */
  readonly heapMegabytesMax: number;
  readonly log: Log;
  /** Called after each task. */
  readonly finished: (fields: Finished) => void;
};

export type Finished = {
  readonly pool: string;
  readonly task: string;
  readonly outcome: 'done' | 'failed' | Refused;
  /** Null: it did not run. */
  readonly seconds: number | null;
};

/** Why a task has no result: the queue refused it, its worker was killed, or its caller has gone. */
export type Refused = Refusal | 'too_slow' | 'too_large' | 'gone';

export type TaskResult<Value> = { readonly value: Value } | { readonly refused: Refused };

/** The signal says that the caller has gone. */
export type TaskRequester = Requester & { readonly signal?: AbortSignal };

type Task = {
  readonly name: string;
  readonly input: unknown;
  readonly signal?: AbortSignal;
  readonly resolve: (result: TaskResult<unknown>) => void;
  readonly reject: (error: unknown) => void;
};

export class Pool<T extends Tasks> {
  readonly #options: PoolOptions;
  readonly #queue: TaskQueue<Task>;
  /** Of one thread each, so that the thread of a task is known. */
  readonly #threads: readonly Piscina[];
  readonly #free: Piscina[];
  readonly #running = new Set<AbortController>();
  #isEnding = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#queue = new TaskQueue(options);
    const { file, threads, heapMegabytesMax, name, log } = options;
    const open = (): Piscina =>
      new Piscina({
        filename: file.href,
        minThreads: 0,
        maxThreads: 1,
        idleTimeout: IDLE_MS,
        // Plain messages: a thread that sleeps on shared memory cannot be asked to end.
        atomics: 'disabled',
        recordTiming: false,
        resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
        // Nothing of the server's secrets.
        env: {},
      }).on('error', (error) => log.error({ err: error, pool: name }, 'a worker failed'));
    this.#threads = Array.from({ length: threads }, open);
    this.#free = [...this.#threads];
  }

  get name(): string {
    return this.#options.name;
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  get running(): number {
    return this.#running.size;
  }

  /**
   * Null: a task would be accepted now. Else it counts as refused: for requests that cost something
   * before their task is known.
   */
  refuseEarly(requester: Requester, name: keyof T & string): Refusal | null {
    const refused = this.#queue.refusal(requester);
    if (refused) this.#report({ name }, refused, null);
    return refused;
  }

  /** Rejects with a clone of what the task threw. */
  run<Name extends keyof T & string>(
    requester: TaskRequester,
    name: Name,
    input: Parameters<T[Name]>[0],
  ): Promise<TaskResult<Awaited<ReturnType<T[Name]>>>> {
    const { promise, resolve, reject } = Promise.withResolvers<TaskResult<unknown>>();
    const { signal } = requester;
    const task: Task = { name, input, resolve, reject, ...(signal && { signal }) };
    const refused = this.#isEnding ? 'busy' : this.#queue.enter(requester, task, performance.now());
    if (refused) this.#refuse(task, refused);
    else this.#serve();
    // The thread runs the export of that name.
    return promise as Promise<TaskResult<Awaited<ReturnType<T[Name]>>>>;
  }

  #serve(): void {
    while (this.#free.length > 0) {
      const turn = this.#queue.next(performance.now());
      if (turn === null) return;
      const { item: task, requester, isLate } = turn;
      const isGone = task.signal?.aborted === true;
      if (isGone || isLate || this.#isEnding) {
        this.#queue.done(requester);
        this.#refuse(task, isGone ? 'gone' : 'busy');
      } else void this.#start(task, requester, this.#free.pop() as Piscina);
    }
  }

  async #start(task: Task, requester: Requester, thread: Piscina): Promise<void> {
    const startedAt = performance.now();
    const end = new AbortController();
    this.#running.add(end);
    const seconds = () => (performance.now() - startedAt) / 1_000;
    using _limits = endWhenSlow(thread, end, this.#options);
    using _listening = onAbort(task.signal, () => end.abort('gone'));
    try {
      const value: unknown = await thread.run(task.input, {
        name: task.name,
        signal: end.signal,
      });
      this.#report(task, 'done', seconds());
      task.resolve({ value });
    } catch (error) {
      this.#fail({ task, requester, error, ended: end.signal.reason, seconds: seconds() });
    } finally {
      this.#running.delete(end);
      this.#free.push(thread);
      this.#queue.done(requester);
      this.#serve();
    }
  }

  #fail(failed: Failed): void {
    const { task, requester, error, seconds } = failed;
    const refused = refusedOf(failed);
    this.#report(task, refused ?? 'failed', seconds);
    if (refused === null) task.reject(error);
    else task.resolve({ refused });
    if (refused !== 'too_slow' && refused !== 'too_large') return;
    const fields = { pool: this.name, task: task.name, organization_id: requester.organizationId };
    this.#options.log.warn({ ...fields, seconds, reason: refused }, 'a worker was killed');
  }

  #refuse(task: Task, refused: Refused): void {
    this.#report(task, refused, null);
    task.resolve({ refused });
  }

  #report(task: Pick<Task, 'name'>, outcome: Finished['outcome'], seconds: number | null): void {
    this.#options.finished({ pool: this.name, task: task.name, outcome, seconds });
  }

  /** Whatever runs or waits is refused. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    for (const end of this.#running) end.abort('busy');
    this.#serve();
    await Promise.all(this.#threads.map((thread) => thread.destroy()));
  }
}

/** Until it is disposed of. */
function onAbort(signal: AbortSignal | undefined, act: () => void): Disposable {
  signal?.addEventListener('abort', act);
  return { [Symbol.dispose]: () => signal?.removeEventListener('abort', act) };
}

type TimeLimits = Pick<PoolOptions, 'cpuMsMax' | 'taskMsMax'>;

/** Ends the thread's task at its time limits, until it is disposed of. */
function endWhenSlow(thread: Piscina, end: AbortController, { cpuMsMax, taskMsMax }: TimeLimits) {
  const before = cpuMsOf(thread);
  const tooSlow = () => end.abort('too_slow');
  const sampling = setInterval(async () => {
    if ((await cpuMsOf(thread)) - (await before) > cpuMsMax) tooSlow();
  }, CPU_SAMPLE_MS);
  const late = setTimeout(tooSlow, taskMsMax);
  return {
    [Symbol.dispose]() {
      clearInterval(sampling);
      clearTimeout(late);
    },
  };
}

/** The processor time of its thread; 0 before it runs. */
async function cpuMsOf({ threads: [thread] }: Piscina): Promise<number> {
  const used = await thread?.cpuUsage().catch(() => undefined);
  return used === undefined ? 0 : (used.user + used.system) / 1_000;
}

type Failed = {
  readonly task: Task;
  readonly requester: Requester;
  readonly error: unknown;
  /** Why the pool ended the thread; undefined: it did not. */
  readonly ended: unknown;
  readonly seconds: number;
};

function refusedOf({ ended, error }: Failed): Refused | null {
  if (ended === 'too_slow' || ended === 'busy' || ended === 'gone') return ended;
  const isTooLarge =
    error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isTooLarge ? 'too_large' : null;
}
