// Calls and SMS wait until it is their turn at the vendor.
import type { Clock } from '../engine/clock.ts';
import { takeTurn } from '../storage/connections/lanes.ts';
import type { Queries } from '../storage/database.ts';

type Turns = {
  readonly sql: Queries;
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<void>;
};

type Paced = {
  readonly connection: { readonly organization_id: string; readonly id: string };
  readonly channel: string;
  readonly perSecond: number;
  /** A later turn is of no use. */
  readonly until?: Temporal.Instant | undefined;
};

/** Resolves when the vendor takes the next one; false: no turn is free in time, and none is taken. */
export type TakeTurn = (paced: Paced) => Promise<boolean>;

export const turnsOf =
  ({ sql, clock, pause }: Turns): TakeTurn =>
  async ({ connection, channel, perSecond, until }) => {
    const { organization_id: organizationId, id: connectionId } = connection;
    const now = clock.now();
    const lane = { organizationId, connectionId, channel };
    const turn = await takeTurn(sql, { ...lane, perSecond, now, until });
    if (turn === null) return false;
    const ms = turn.epochMilliseconds - now.epochMilliseconds;
    if (ms > 0) await pause(ms);
    return true;
  };
