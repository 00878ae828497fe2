// The changes, such as deployments, that tools told of the service of an incident.

import { firstIdAt } from '../../engine/ids.ts';
import type { StoredEvent } from '../../engine/ports/events.ts';
import type { Queries } from '../database/database.ts';
import { type EventRow, eventColumns, storedEvent } from '../ledger/events.ts';

type Span = {
  readonly organizationId: string;
  readonly serviceId: string;
  readonly from: Temporal.Instant;
  /** Null: without an end. */
  readonly until: Temporal.Instant | null;
};

type Limits = { readonly events: number; readonly bytes: number };
type Changes = { readonly events: readonly StoredEvent[]; readonly more: boolean };

/**
 * Newest first. Of each integration only as many are looked at as are answered, however many came:
 * by the index of changes, whose condition stands here word for word.
 */
export async function changesOf(
  sql: Queries,
  { organizationId, serviceId, from, until }: Span,
  limits: Limits,
): Promise<Changes> {
  const ended =
    until &&
    sql`
    and id < ${firstIdAt(until.add({ seconds: 1 }))} and received_at <= ${until}`;
  const rows = await sql<(EventRow & { readonly counted: number })[]>`
    select ${eventColumns(sql)}, counted from (
      select *, (count(*) over ())::integer as counted, row_number() over newest_first as nth,
        sum(octet_length(body)) over newest_first - octet_length(body) as bytes_before
      from (
        select e.* from integrations i cross join lateral (
          select * from events
          where organization_id = i.organization_id and integration_id = i.id
            and path = '/v2/change/enqueue' and outcome = 'ignored'
            and id >= ${firstIdAt(from)} and received_at >= ${from} ${ended ?? sql``}
          order by id desc limit ${limits.events + 1}
        ) e
        where i.organization_id = ${organizationId} and i.service_id = ${serviceId}
        order by e.id desc limit ${limits.events + 1}
      ) newest
      window newest_first as (order by id desc)
    ) bounded
    where nth <= ${limits.events} and bytes_before < ${limits.bytes} order by id desc`;
  const [first] = rows;
  return {
    events: rows.map(({ counted, ...row }) => storedEvent(row)),
    more: (first?.counted ?? 0) > rows.length,
  };
}
