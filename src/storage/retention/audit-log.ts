import { type Sql, type Transaction, transact } from '../database/database.ts';
import { noteRemoval, type Outdated } from './removals.ts';

/** Yields how many it removed, after each few: from the first entry on, never one between others. */
export async function* removeAuditLog(
  sql: Sql,
  outdated: Outdated,
  rows: number,
): AsyncGenerator<number, void, undefined> {
  for (let removed = rows; removed === rows; ) {
    removed = await transact(sql, (tx) => removeSome(tx, outdated, rows));
    if (removed > 0) yield removed;
  }
}

async function removeSome(tx: Transaction, outdated: Outdated, rows: number): Promise<number> {
  const { organizationId, before } = outdated;
  const { count: removed } = await tx`
    with first as (
      select sequence, at from audit_log where organization_id = ${organizationId}
      order by sequence limit ${rows}
    )
    delete from audit_log
    where organization_id = ${organizationId} and sequence in (
      select sequence from first
      where sequence < coalesce(
        (select min(sequence) from first where at >= ${before}), 2147483647))`;
  await noteRemoval(tx, outdated, { kind: 'audit_log', removed });
  return removed;
}
