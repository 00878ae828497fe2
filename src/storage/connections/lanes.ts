// The pace at which vendors take calls and messages: each waits for its turn, all servers together.
import { sendingLimits } from '../../limits/sending.ts';
import type { Queries } from '../database.ts';

type Lane = {
  readonly organizationId: string;
  readonly connectionId: string;
  readonly channel: string;
};

type Turn = Lane & {
  readonly perSecond: number;
  readonly now: Temporal.Instant;
  readonly until?: Temporal.Instant | undefined;
};

/** When it is its turn; null: later than `until` or than it may wait, and no turn is taken. */
export async function takeTurn(sql: Queries, turn: Turn): Promise<Temporal.Instant | null> {
  const { organizationId, connectionId, channel, perSecond, now } = turn;
  const longest = now.add({ seconds: sendingLimits.turnWait });
  const { until = longest } = turn;
  const latest = Temporal.Instant.compare(until, longest) < 0 ? until : longest;
  const spacing = Math.ceil(1_000 / perSecond);
  const [row] = await sql<{ free_at: Temporal.Instant }[]>`
    insert into connection_lanes as lane (organization_id, connection_id, channel, free_at)
    values (${organizationId}, ${connectionId}, ${channel},
      ${now.add({ milliseconds: spacing })})
    on conflict (organization_id, connection_id, channel) do update
      set free_at = greatest(lane.free_at, ${now}) + ${spacing} * interval '1 millisecond'
      where lane.free_at <= ${latest}
    returning free_at`;
  return row?.free_at.subtract({ milliseconds: spacing }) ?? null;
}

type Hold = Lane & { readonly until: Temporal.Instant };

/** The vendor takes nothing until then: all wait, instead of failing one by one. */
export async function holdLane(sql: Queries, hold: Hold): Promise<void> {
  await sql`
    insert into connection_lanes as lane (organization_id, connection_id, channel, free_at)
    values (${hold.organizationId}, ${hold.connectionId}, ${hold.channel}, ${hold.until})
    on conflict (organization_id, connection_id, channel) do update
      set free_at = greatest(lane.free_at, excluded.free_at)`;
}
