import { bytes, count, type Limits, MIB, milliseconds, valuesOf } from './limit.ts';

/** Of what is worked out for those who ask, so that pages are not kept waiting. */
export const computing = {
  slightChanges: count(
    600,
    'Changes of turns and windows that are walked through at once',
    'It is computed apart, within what is below',
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
} as const satisfies Limits;

export const computingLimits = valuesOf(computing);
