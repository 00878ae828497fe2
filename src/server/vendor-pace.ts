// What vendors take at a pace waits until it is its turn.
import type { Connected, LanePort, LaneTurn } from '../channels/lanes.ts';
import type { Clock } from '../engine/clock.ts';
import { sendingLimits } from '../limits/sending.ts';
import { holdLane, type Pace, readLanes, takeTurn } from '../storage/connections/lanes.ts';
import type { Queries } from '../storage/database/database.ts';

type Turns = {
  readonly sql: Queries;
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<void>;
};

type Paced = Pace & {
  readonly connection: Connected;
  readonly channel: string;
  /** A later turn is of no use. */
  readonly until?: Temporal.Instant | undefined;
};

/** Resolves when the vendor takes the next one; false: no turn is free in time, and none is taken. */
export type TakeTurn = (paced: Paced) => Promise<boolean>;

export const vendorPacer = (turns: Turns): TakeTurn => {
  const wait = waiting(turns);
  return async (paced) => (await wait(paced)) !== null;
};

type Turn = { readonly isFirst: boolean; readonly hasWaited: boolean };

/** Who has waited while the vendor came to want nothing takes another turn, behind that. */
const waiting =
  ({ sql, clock, pause }: Turns) =>
  async ({ connection, ...paced }: Paced & { readonly unlessHeld?: boolean }) => {
    const { organization_id: organizationId, id: connectionId } = connection;
    const lane = { organizationId, connectionId, channel: paced.channel };
    for (let hasWaited = false; ; hasWaited = true) {
      const now = clock.now();
      const turn = await takeTurn(sql, { ...paced, ...lane, now });
      if (turn === null) return null;
      const ms = turn.at.epochMilliseconds - now.epochMilliseconds;
      const taken: Turn = { isFirst: turn.isFirst, hasWaited: hasWaited || ms > 0 };
      if (ms <= 0) return taken;
      await pause(ms);
      const since = (await readLanes(sql, lane, [lane.channel])).get(lane.channel)?.heldUntil;
      if (`${since ?? null}` === `${turn.heldUntil}`) return taken;
    }
  };

/** The lanes of chats and of push: of an account, and of each place that it writes to. */
export function lanesOf(turns: Turns): LanePort {
  const { sql, clock } = turns;
  const wait = waiting(turns);
  const keyOf = ({ organization_id: organizationId, id: connectionId }: Connected) => ({
    organizationId,
    connectionId,
  });
  /** At least a second, so that nobody who is early comes in vain. */
  const secondsUntilFree = async (connection: Connected, lanes: readonly string[]) => {
    const read = await readLanes(sql, keyOf(connection), lanes);
    const now = clock.now().epochMilliseconds;
    const ends = [...read.values()].map(({ freeAt }) => freeAt.epochMilliseconds - now);
    return Math.max(1, ...ends.map((ms) => Math.ceil(ms / 1_000)));
  };
  return {
    async turn(connection, lanes, end): Promise<LaneTurn> {
      const until = end === 'soon' ? clock.now().add({ seconds: sendingLimits.editTurnWait }) : end;
      const names = lanes.map(({ name }) => name);
      let hasWaited = false;
      let isFirst = false;
      for (const { name: channel, ...pace } of lanes) {
        const turn = await wait({ connection, channel, ...pace, until, unlessHeld: true });
        if (turn === null)
          return { isFree: false, inSeconds: await secondsUntilFree(connection, names) };
        hasWaited ||= turn.hasWaited;
        isFirst = turn.isFirst;
      }
      // One of them may have been held while the next was waited for.
      if (hasWaited && lanes.length > 1) {
        const now = clock.now();
        const read = await readLanes(sql, keyOf(connection), names);
        const isHeld = [...read.values()].some(
          ({ heldUntil }) => heldUntil !== null && Temporal.Instant.compare(heldUntil, now) > 0,
        );
        if (isHeld) return { isFree: false, inSeconds: await secondsUntilFree(connection, names) };
      }
      return { isFree: true, isFirst, hasWaited };
    },
    async hold(connection, lane, seconds = sendingLimits.laneHold) {
      const until = clock.now().add({ seconds });
      await holdLane(sql, { ...keyOf(connection), channel: lane, until });
    },
  };
}
