// An incident's timeline as people read it: its entries and, between them, how often its alert came
// again, which only the event log knows.
import type { Queries } from '../database/database.ts';

export type TimelineRow = {
  readonly id: string;
  readonly sequence: number;
  readonly at: Temporal.Instant;
  readonly type: string;
  readonly text: string;
  readonly actor: unknown;
  readonly details: unknown;
  /** Twice its sequence; of the repeats after that entry, one more. */
  readonly cursor: number;
};

type On = { readonly organizationId: string; readonly incidentId: string };

/** After what has that cursor, in that order; null: from the beginning. */
type Slice = {
  readonly limit: number;
  readonly after: number | null;
  readonly order?: 'asc' | 'desc';
};

/** In the order of commits: oldest first, as a story is read from its beginning, or newest first. */
export async function listTimeline(
  sql: Queries,
  on: On,
  { limit, after, order = 'asc' }: Slice,
): Promise<readonly TimelineRow[]> {
  const isUp = order === 'asc';
  const sequence = after === null ? null : Math.floor(after / 2);
  // The last one shown comes along: repeats after it, or before it, may not be shown yet. One more
  // than wanted, for the repeats between the last two.
  const fetched = await sql<Omit<TimelineRow, 'cursor'>[]>`
    select id, sequence, at, type, text, actor, details from timeline
    where organization_id = ${on.organizationId} and incident_id = ${on.incidentId}
      ${sequence === null ? sql`` : isUp ? sql`and sequence >= ${sequence}` : sql`and sequence <= ${sequence}`}
    order by sequence ${isUp ? sql`` : sql`desc`} limit ${limit + 2}`;
  const entries = isUp ? fetched : fetched.toReversed();
  const isEnd = isUp ? entries.length < limit + 2 : after === null;
  const repeats = await repeatsAmong(sql, on, { entries, isEnd });
  const rows = entries.map((entry): TimelineRow => ({ ...entry, cursor: 2 * entry.sequence }));
  return [...rows, ...repeats]
    .sort((a, b) => (isUp ? a.cursor - b.cursor : b.cursor - a.cursor))
    .filter(({ cursor }) => after === null || (isUp ? cursor > after : cursor < after))
    .slice(0, limit);
}

type Among = {
  readonly entries: readonly Pick<TimelineRow, 'sequence' | 'at'>[];
  /** After the last of them there is no other. */
  readonly isEnd: boolean;
};
type Repeats = {
  sequence: number;
  id: string;
  times: number;
  first: Temporal.Instant;
  last: Temporal.Instant;
};

/** How often the alert came again between one entry and the next, and after the last of all. */
async function repeatsAmong(sql: Queries, on: On, { entries, isEnd }: Among) {
  const starts = isEnd ? entries : entries.slice(0, -1);
  if (starts.length === 0) return [];
  const ends = entries.slice(1).map(({ at }) => at.toString());
  const rows = await sql<Repeats[]>`
    select s.sequence, e.id, e.times, e.first, e.last
    from unnest(${starts.map(({ sequence }) => sequence)}::integer[],
      ${starts.map(({ at }) => at.toString())}::text[]::timestamptz[],
      ${starts.map((_, index) => ends[index] ?? 'infinity')}::text[]::timestamptz[]) as s(sequence, since, until)
    cross join lateral (
      select min(id::text) as id, sum(times)::integer as times, min(received_at) as first,
        max(received_at) as last
      from events
      where organization_id = ${on.organizationId} and suppressed_onto_id = ${on.incidentId}
        and received_at >= s.since and received_at < s.until
    ) e
    where e.times > 0`;
  return rows.map(rowOf);
}

const rowOf = ({ sequence, id, times, first, last }: Repeats): TimelineRow => ({
  id,
  sequence,
  at: first,
  type: 'suppressed',
  actor: null,
  cursor: 2 * sequence + 1,
  text:
    times === 1
      ? 'The same alert arrived again, so nobody is paged for it'
      : `The same alert arrived again, ${times} times until ${last}, so nobody is paged for it`,
  details: { event_id: id, times, until: last.toString() },
});
