// Calls and SMS wait until it is their turn at the vendor.
import type { Clock } from '../engine/clock.ts';
import { isPage } from '../incidents/incident.ts';
import type { Notice } from '../notices/notice.ts';
import { takeTurn } from '../storage/connections/lanes.ts';
import type { Queries } from '../storage/database.ts';
import { isTriggered } from '../storage/incidents/paged.ts';

type Turns = {
  readonly sql: Queries;
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<void>;
};

type Paced = {
  readonly connection: { readonly organization_id: string; readonly id: string };
  readonly channel: string;
  readonly perSecond: number;
  readonly notice: Notice;
};

/** Resolves when the vendor takes the notice; false: it is too early, or the notice is too late. */
export type TakeTurn = (paced: Paced) => Promise<boolean>;

export const turnsOf =
  ({ sql, clock, pause }: Turns): TakeTurn =>
  async ({ connection, channel, perSecond, notice }) => {
    const { organization_id: organizationId, id: connectionId } = connection;
    const now = clock.now();
    const lane = { organizationId, connectionId, channel };
    const turn = await takeTurn(sql, { ...lane, perSecond, now });
    if (turn === null) return false;
    const ms = turn.epochMilliseconds - now.epochMilliseconds;
    if (ms <= 0) return true;
    await pause(ms);
    // Meanwhile somebody may have acknowledged; the next claim decides what becomes of the notice.
    if (notice.about !== 'incident' || !isPage(notice)) return true;
    return isTriggered(sql, organizationId, notice.incident.id);
  };
