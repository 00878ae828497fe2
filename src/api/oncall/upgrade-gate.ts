// Fields of schedules that release 0.1.0 does not know are refused until no server of it is connected.
import type { Queries } from '../../storage/database/database.ts';
import {
  needsNewScheduleRules,
  newScheduleRulesApply,
} from '../../storage/oncall/schedule-rules.ts';
import { invalid } from '../failures.ts';

/** Refuses the fields at these paths, if there are any and the upgrade has not finished. */
export async function refuseBeforeUpgrade(sql: Queries, paths: readonly string[]): Promise<void> {
  if (paths.length === 0 || (await newScheduleRulesApply(sql))) return;
  throw invalid(paths.map((path) => ({ path, message: needsNewScheduleRules })));
}
