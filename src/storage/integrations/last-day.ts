// Events of integrations by hour. Of more events than are counted, the newest of each integration are.
import { firstIdAt } from '../../engine/ids.ts';
import { testEventPath } from '../../engine/intake/arrival.ts';
import type { EventOutcome } from '../../engine/ports/events.ts';
import { queryLimits } from '../../limits/queries.ts';
import type { Queries } from '../database/database.ts';
import { clockSkew } from '../health/clock-skew.ts';
import { inScope, type Scope } from '../records/queries.ts';

/** An hour with events, by its place. */
type CountedHour = { readonly hour: number; readonly events: number; readonly failed: number };

export type LastDay = {
  readonly id: string;
  readonly hours: readonly CountedHour[];
  /** Since when all are counted; null: all are. */
  readonly since: Temporal.Instant | null;
};

type LastDayQuery = {
  /** When the first hour begins. */
  readonly from: Temporal.Instant;
  /** What arrived before then and is not decided yet has failed. */
  readonly decidedBy: Temporal.Instant;
};

/** Outcomes of events whose alerts people do not see. */
const failures = ['unreadable', 'refused', 'dropped'] as const satisfies readonly EventOutcome[];

/** Of the first active integrations, as `readActivity` reads them: without test events. */
export const readLastDay = (
  sql: Queries,
  scope: Scope,
  { from, decidedBy }: LastDayQuery,
): Promise<readonly LastDay[]> =>
  sql<LastDay[]>`
    with chosen as materialized (
      select organization_id, counter, id
      from integrations where ${inScope(sql, scope)} and archived_at is null
      order by counter limit ${queryLimits.attentionSearched}
    ), share as materialized (
      select ${queryLimits.eventsCounted}::bigint / greatest(count(*), 1) as most from chosen
    )
    select i.id, day.hours, day.since
    from chosen i cross join share
    cross join lateral (
      select coalesce(json_agg(by_hour.*), '[]') as hours,
        case when sum(read) = share.most then min(first) end as since
      from (
        select floor(extract(epoch from received_at - ${from}::timestamptz) / 3600)::integer as hour,
          count(*) as read, min(received_at) as first,
          (count(*) filter (where path <> ${testEventPath}))::integer as events,
          (count(*) filter (where path <> ${testEventPath} and (outcome = any(${[...failures]})
            or outcome is null and received_at < ${decidedBy})))::integer as failed
        from (
          select e.received_at, e.outcome, e.path from events e
          where e.organization_id = i.organization_id and e.integration_id = i.id
            and e.id >= ${firstIdAt(from.subtract(clockSkew))} and e.received_at >= ${from}
          order by e.id desc limit (select most from share)
        ) as latest
        group by 1 order by 1
      ) as by_hour
    ) as day
    order by i.counter`;
