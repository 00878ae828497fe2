import { count, type Limits, milliseconds, seconds, valuesOf } from './limit.ts';

/** How a server starts and stops. */
export const running = {
  // Service managers kill what takes much longer.
  stopTime: milliseconds(
    14_000,
    'Time for a server to stop, after `PAGER_DRAIN_SECONDS`',
    'The server exits at once. Nothing that was accepted is lost',
  ),
  requestsTime: milliseconds(
    5_000,
    'Part of that time for requests in progress',
    'Their connections are closed',
  ),
  noticesTime: milliseconds(
    4_000,
    'Part of that time for notices being sent',
    'They are sent again after the next start',
  ),
  drain: seconds(300, '`PAGER_DRAIN_SECONDS`', 'The server does not start'),
  proxies: count(20, 'Number of chained proxies', 'The server does not start'),
} as const satisfies Limits;

export const runningLimits = valuesOf(running);
