import { bytes, count, type Limits, MIB, milliseconds, valuesOf } from './limit.ts';

/** What is computed in worker threads for API requests, so that no page is delayed. */
export const computing = {
  slightChanges: count(
    600,
    'Changes of turns and windows that are computed in the main thread',
    'They are computed in a worker thread within the limits below',
  ),
  threadsMin: count(2, 'Minimum computation threads', 'More computations wait'),
  threadsMax: count(
    4,
    'Maximum computation threads: one fewer than the number of processors. One organization can use all except one',
    'More computations wait',
  ),
  waiting: count(200, 'Computations waiting for a thread', '429'),
  waitingOfOne: count(20, 'Computations of one key or person, waiting or running', '429'),
  waitingTime: milliseconds(10_000, 'How long a computation waits for a thread', '429'),
  processor: milliseconds(15_000, 'Processor time of a computation', '422 `too_much_work`'),
  time: milliseconds(60_000, 'Elapsed time of a computation', '422 `too_much_work`'),
  memory: bytes(512 * MIB, 'Memory of a computation', '422 `too_much_work`'),
  previewsComputed: count(2, 'Previews of one request that are computed at once', 'More wait'),
  replayThreads: count(2, 'Replay threads', 'More replays wait'),
  replaysRunning: count(1, 'Running replays of one organization', 'More wait'),
  replaysWaiting: count(20, 'Replays waiting for a thread', '429'),
  replaysOfOne: count(2, 'Replays of one key or person, waiting or running', '429'),
  replayWaitingTime: milliseconds(60_000, 'How long a replay waits for a thread', '429'),
  replayProcessor: milliseconds(120_000, 'Processor time of a replay', '422 `too_much_work`'),
  replayTime: milliseconds(600_000, 'Elapsed time of a replay', '422 `too_much_work`'),
  replayMemory: bytes(512 * MIB, 'Memory of a replay', '422 `too_much_work`'),
  recordsCached: count(
    100_000,
    'Records that a thread caches for the next simulation or replay',
    'The records of the organization that was not used for the longest time are evicted',
  ),
} as const satisfies Limits;

export const computingLimits = valuesOf(computing);
