// The pace at which vendors take calls and messages: each waits for its turn, all servers together.
import { sendingLimits } from '../../limits/sending.ts';
import type { Queries } from '../database/database.ts';

/** Of a connection; `channel` names the lane, such as `phone`, or `slack C0123` for one place. */
type Lane = {
  readonly organizationId: string;
  readonly connectionId: string;
  readonly channel: string;
};

export type Pace = {
  readonly perSecond: number;
  /** For some time after its vendor has refused something: a vendor with a reserve has none then. */
  readonly perSecondOnceRefused?: number;
};

type Turn = Lane &
  Pace & {
    readonly now: Temporal.Instant;
    readonly until?: Temporal.Instant | undefined;
    /** No turn is taken while the vendor wants nothing. */
    readonly unlessHeld?: boolean;
  };

export type TakenTurn = {
  readonly at: Temporal.Instant;
  /** As it was then; once it is another, what has not been sent takes another turn. */
  readonly heldUntil: Temporal.Instant | null;
  /** Nobody had a turn for some time before. */
  readonly isFirst: boolean;
};

type TurnRow = {
  readonly free_at: Temporal.Instant;
  readonly held_until: Temporal.Instant | null;
  readonly spacing: number;
  readonly is_first: boolean;
};

/** When it is its turn; null: later than `until` or than it may wait, and no turn is taken. */
export async function takeTurn(sql: Queries, turn: Turn): Promise<TakenTurn | null> {
  const { organizationId, connectionId, channel, now, unlessHeld = false } = turn;
  const { perSecond, perSecondOnceRefused = perSecond } = turn;
  const longest = now.add({ seconds: sendingLimits.turnWait });
  const { until = longest } = turn;
  const latest = Temporal.Instant.compare(until, longest) < 0 ? until : longest;
  const usual = spacingOf(perSecond);
  const refusedSince = now.subtract({ seconds: sendingLimits.laneSlow });
  const pausedSince = now.subtract({ seconds: sendingLimits.lanePause });
  const spacing = sql`
    case when lane.held_until > ${refusedSince} then ${spacingOf(perSecondOnceRefused)}::integer
      else ${usual}::integer end`;
  const at = sql`greatest(lane.free_at, ${now}::timestamptz)`;
  const [row] = await sql<TurnRow[]>`
    insert into connection_lanes as lane (organization_id, connection_id, channel, free_at, used_since)
    values (${organizationId}, ${connectionId}, ${channel},
      ${now.add({ milliseconds: usual })}, ${now})
    on conflict (organization_id, connection_id, channel) do update
      set free_at = ${at} + ${spacing} * interval '1 millisecond',
        used_since = case when lane.free_at < ${pausedSince} then ${at}
          else coalesce(lane.used_since, lane.free_at) end
      where lane.free_at <= ${latest}
        and not (${unlessHeld} and coalesce(lane.held_until > ${now}, false))
    returning free_at, held_until, ${spacing} as spacing,
      used_since = free_at - ${spacing} * interval '1 millisecond' as is_first`;
  if (row === undefined) return null;
  return {
    at: row.free_at.subtract({ milliseconds: row.spacing }),
    heldUntil: row.held_until,
    isFirst: row.is_first,
  };
}

const spacingOf = (perSecond: number) => Math.ceil(1_000 / perSecond);

/** Of these lanes of a connection; those that nobody has used have none. */
export async function readLanes(
  sql: Queries,
  { organizationId, connectionId }: Omit<Lane, 'channel'>,
  channels: readonly string[],
): Promise<ReadonlyMap<string, { freeAt: Temporal.Instant; heldUntil: Temporal.Instant | null }>> {
  const rows = await sql<
    { channel: string; free_at: Temporal.Instant; held_until: Temporal.Instant | null }[]
  >`
    select channel, free_at, held_until from connection_lanes
    where organization_id = ${organizationId} and connection_id = ${connectionId}
      and channel = any(${[...channels]})`;
  return new Map(
    rows.map(({ channel, free_at: freeAt, held_until: heldUntil }) => [
      channel,
      { freeAt, heldUntil },
    ]),
  );
}

type Hold = Lane & { readonly until: Temporal.Instant };

/**
 * The vendor takes nothing until then: all wait, instead of failing one by one. Those who have a turn
 * take another one, so the next begins when the hold ends.
 */
export async function holdLane(sql: Queries, hold: Hold): Promise<void> {
  await sql`
    insert into connection_lanes as lane
      (organization_id, connection_id, channel, free_at, held_until, used_since)
    values (${hold.organizationId}, ${hold.connectionId}, ${hold.channel}, ${hold.until},
      ${hold.until}, ${hold.until})
    on conflict (organization_id, connection_id, channel) do update
      set free_at = excluded.free_at, held_until = excluded.held_until
      where lane.held_until is null or lane.held_until < excluded.held_until`;
}

const removedAtOnce = 1_000;

/** To take a turn in one that is missing is the same. */
export async function removeIdleLanes(sql: Queries, now: Temporal.Instant): Promise<number> {
  const { laneSlow, lanePause } = sendingLimits;
  const { count } = await sql`
    delete from connection_lanes where ctid in (
      select ctid from connection_lanes
      where free_at < ${now.subtract({ seconds: lanePause })}
        and (held_until is null or held_until <= ${now.subtract({ seconds: laneSlow })})
      limit ${removedAtOnce} for update skip locked)`;
  return count;
}
