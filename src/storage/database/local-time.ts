// Local times within statements. The offsets are those of the runtime, which checked the names of the
// zones: the database may know other zones, or those of another year.
import type { Fragment } from 'postgres';
import { clockIn } from '../../resources/declaration/time-zone.ts';
import type { Queries } from './database.ts';

export type Span = { readonly from: Temporal.Instant; readonly to: Temporal.Instant };

/** From each of these times on, the local clock is that many seconds ahead of UTC. */
export type Offsets = {
  readonly at: readonly Temporal.Instant[];
  readonly seconds: readonly number[];
};

export function offsetsIn(timezone: string, { from, to }: Span): Offsets {
  const clocks = [clockIn(timezone, from)];
  for (;;) {
    const next = clocks.at(-1)?.getTimeZoneTransition('next');
    if (!next || Temporal.Instant.compare(next.toInstant(), to) >= 0) break;
    clocks.push(next);
  }
  return {
    at: clocks.map((clock) => clock.toInstant()),
    seconds: clocks.map(({ offsetNanoseconds }) => offsetNanoseconds / 1e9),
  };
}

/** Of times in that span. */
export const localTime = (sql: Queries, time: Fragment, { at, seconds }: Offsets) => sql`
  (${time} at time zone 'UTC' + make_interval(secs => (${[...seconds]}::float8[])
    [width_bucket(${time}, ${[...at]}::timestamptz[])]))`;
