import { bytes, count, type Limits, MIB, milliseconds, valuesOf } from './limit.ts';

/** What is computed in worker threads for API requests, so that no page is delayed. */
export const computing = {
  slightChanges: count(
    600,
    'Changes of turns and windows that are computed in the main thread',
    'They are computed in a worker thread, within the limits below',
  ),
  threadsMin: count(2, 'Threads that compute, at least', 'More computations wait'),
  threadsMax: count(
    4,
    'Threads that compute, at most: one less than there are processors. One of them is kept for other organisations',
    'More computations wait',
  ),
  waiting: count(200, 'Computations that wait for a thread', '429'),
  waitingOfOne: count(20, 'Computations waiting or under way, of one key or person', '429'),
  waitingTime: milliseconds(10_000, 'Time for a computation to wait for a thread', '429'),
  processor: milliseconds(15_000, 'Processor time for a computation', '422 `too_much_work`'),
  time: milliseconds(60_000, 'Time for a computation, by the clock', '422 `too_much_work`'),
  memory: bytes(512 * MIB, 'Memory for a computation', '422 `too_much_work`'),
  replayThreads: count(2, 'Threads that replay', 'More replays wait'),
  replaysRunning: count(1, 'Replays under way of one organisation', 'More wait'),
  replaysWaiting: count(20, 'Replays that wait for a thread', '429'),
  replaysOfOne: count(2, 'Replays waiting or under way, of one key or person', '429'),
  replayWaitingTime: milliseconds(60_000, 'Time for a replay to wait for a thread', '429'),
  replayProcessor: milliseconds(120_000, 'Processor time for a replay', '422 `too_much_work`'),
  replayTime: milliseconds(600_000, 'Time for a replay, by the clock', '422 `too_much_work`'),
  replayMemory: bytes(512 * MIB, 'Memory for a replay', '422 `too_much_work`'),
  recordsCached: count(
    100_000,
    'Records that a thread caches for the next simulation or replay',
    'Those of the organisation unused for longest are evicted',
  ),
} as const satisfies Limits;

export const computingLimits = valuesOf(computing);
