// What others need of cover requests: which are open, and that they end with their schedule.
import type { Queries, Transaction } from '../database/database.ts';
import { keyed } from '../ledger/keys.ts';
import type { Act } from '../organizations/audit.ts';

type RequestKey = { readonly organization_id: string; readonly id: string };

/** The ids of those that nobody accepted or withdrew. */
export async function openRequestsAmong(
  sql: Transaction,
  keys: readonly RequestKey[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await sql<{ id: string }[]>`
    select r.id from ${keyed(sql, keys)}
    join cover_requests r on r.organization_id = k.organization_id and r.id = k.id
    where r.state = 'open'`;
  return new Set(rows.map(({ id }) => id));
}

/** When the schedule is archived, which its writer has locked. */
export async function withdrawRequestsOf(
  tx: Queries,
  { organizationId }: Pick<Act, 'organizationId'>,
  scheduleId: string,
): Promise<void> {
  await tx`
    update cover_requests set state = 'withdrawn'
    where organization_id = ${organizationId} and oncall_schedule_id = ${scheduleId}
      and state = 'open'`;
}
