// The worker threads of this server: who has how many, and for how long.
import { availableParallelism } from 'node:os';
import type { Computations } from '../api/computing/computer.ts';
import type { ReadingTasks } from '../api/events/event-reader.ts';
import type { MailTasks } from '../api/mail/reader.ts';
import type { Log } from '../engine/log.ts';
import { computingLimits } from '../limits/computing.ts';
import { eventsLimits } from '../limits/events.ts';
import { httpLimits } from '../limits/http.ts';
import { MIB } from '../limits/limit.ts';
import { mailLimits } from '../limits/mail.ts';
import type { Metrics } from '../metrics.ts';
import { Pool } from '../workers/pool.ts';

const COMPUTING_THREADS = Math.min(
  computingLimits.threadsMax,
  Math.max(computingLimits.threadsMin, availableParallelism() - 1),
);

/**
 * As many mails may be under way as the mail listener has sessions. The largest mail that people
 * write is read in half a second.
 */
const MAIL = {
  threads: mailLimits.readers,
  runningPerOrganizationMax: mailLimits.readersOfOne,
  cpuMsMax: mailLimits.readingProcessor,
  taskMsMax: mailLimits.readingTime,
  heapMegabytesMax: mailLimits.readingMemory / MIB,
  waitingMax: mailLimits.waiting,
  perCallerMax: mailLimits.waitingOfOne,
  waitMsMax: mailLimits.waitingTime,
};

/** Events that take long to read: as many wait as there is room for, for none is refused. */
const EVENTS = {
  threads: eventsLimits.readers,
  runningPerOrganizationMax: eventsLimits.readersOfOne,
  cpuMsMax: eventsLimits.readersProcessor,
  taskMsMax: eventsLimits.readersTime,
  heapMegabytesMax: eventsLimits.readersMemory / MIB,
  waitingMax: 2 * httpLimits.events,
  perCallerMax: 2 * httpLimits.events,
  waitMsMax: eventsLimits.readersWaitingTime,
};

/**
 * What the API computes: one thread is kept for other organisations. What may be asked for takes
 * two seconds at most, unless a server is very slow.
 */
const COMPUTATIONS = {
  threads: COMPUTING_THREADS,
  runningPerOrganizationMax: COMPUTING_THREADS - 1,
  cpuMsMax: computingLimits.processor,
  taskMsMax: computingLimits.time,
  heapMegabytesMax: computingLimits.memory / MIB,
  waitingMax: computingLimits.waiting,
  perCallerMax: computingLimits.waitingOfOne,
  waitMsMax: computingLimits.waitingTime,
};

/** Of 50,000 events, a replay takes half a minute: nothing else is to wait for that. */
const REPLAYS = {
  threads: computingLimits.replayThreads,
  runningPerOrganizationMax: computingLimits.replaysRunning,
  cpuMsMax: computingLimits.replayProcessor,
  taskMsMax: computingLimits.replayTime,
  heapMegabytesMax: computingLimits.replayMemory / MIB,
  waitingMax: computingLimits.replaysWaiting,
  perCallerMax: computingLimits.replaysOfOne,
  waitMsMax: computingLimits.replayWaitingTime,
};

export type Workers = {
  readonly mail: Pool<MailTasks>;
  readonly events: Pool<ReadingTasks>;
  readonly computations: Pool<Computations>;
  readonly replays: Pool<Computations>;
};

type WorkerParts = { readonly log: Log; readonly metrics: Metrics };

export function openWorkers({ log, metrics }: WorkerParts, stack: AsyncDisposableStack): Workers {
  const options = { log, finished: metrics.worked };
  const file = new URL('../api/mail/message.ts', import.meta.url);
  const readers = new URL('../api/events/thread-tasks.ts', import.meta.url);
  const tasks = new URL('../api/computing/tasks.ts', import.meta.url);
  const computing = { file: tasks, ...options };
  return {
    mail: stack.use(new Pool<MailTasks>({ name: 'mail', file, ...MAIL, ...options })),
    events: stack.use(
      new Pool<ReadingTasks>({ name: 'events', file: readers, ...EVENTS, ...options }),
    ),
    computations: stack.use(
      new Pool<Computations>({ name: 'computations', ...COMPUTATIONS, ...computing }),
    ),
    replays: stack.use(new Pool<Computations>({ name: 'replays', ...REPLAYS, ...computing })),
  };
}
