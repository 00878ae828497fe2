// Whether schedules follow the rules of this release yet: while a server of 0.1.0 may be connected,
// all servers go by its rules. docs/decisions/0094-who-is-inactive.md.
import type { Queries } from '../database/database.ts';

/** If not, fields that 0.1.0 does not know are refused, and who is inactive stays on call. */
export const newScheduleRulesApply = (sql: Queries): Promise<boolean> => areInForce(sql, sql``);

/** The same, and it stays so until the transaction ends. */
export const newScheduleRulesStay = (tx: Queries): Promise<boolean> =>
  areInForce(tx, tx`for share`);

/** The same; if not, nobody else makes it so until the transaction ends. */
export const lockScheduleRules = (tx: Queries): Promise<boolean> => areInForce(tx, tx`for update`);

async function areInForce(sql: Queries, lock: ReturnType<Queries>): Promise<boolean> {
  const [row] = await sql<{ apply: boolean }[]>`
    select in_force_from is not null as apply from schedule_rules ${lock}`;
  return row?.apply ?? false;
}

export async function applyNewScheduleRules(tx: Queries, now: Temporal.Instant): Promise<void> {
  await tx`update schedule_rules set in_force_from = ${now}`;
}

/** Why a field is refused meanwhile. */
export const needsNewScheduleRules =
  'cannot be used yet: the upgrade of Pager has not finished, and a server of the previous release may be connected';
