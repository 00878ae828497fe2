import { count, type Limits, milliseconds, seconds, valuesOf } from './limit.ts';

/** How a server starts and stops. */
export const running = {
  // Service managers kill what takes much longer.
  stopTime: milliseconds(
    14_000,
    'Time for a server to stop, after `PAGER_DRAIN_SECONDS`',
    'It ends at once; nothing that was accepted is lost',
  ),
  requestsTime: milliseconds(5_000, 'Of it, for running requests', 'Their connections end'),
  noticesTime: milliseconds(
    4_000,
    'Of it, for notices being sent',
    'They are sent again after the next start',
  ),
  drain: seconds(300, '`PAGER_DRAIN_SECONDS`', 'The start is refused'),
  proxies: count(20, 'Proxies one behind the other, as a number', 'The start is refused'),
} as const satisfies Limits;

export const runningLimits = valuesOf(running);
