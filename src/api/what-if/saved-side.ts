// What a change that is not saved is compared with.
import { readConfiguration } from '../../storage/configuration/past-configuration.ts';
import type { LedgerParts } from '../../storage/ledger/context.ts';
import { inactiveIn } from '../../storage/oncall/activity.ts';
import { readFormer } from '../../storage/oncall/revisions.ts';
import { newScheduleRulesApply } from '../../storage/oncall/schedule-rules.ts';
import { nextEdits } from '../../storage/oncall/shift-cursor.ts';
import type { ChangeContext } from '../../what-if/change-sides.ts';
import { YEARS } from '../../what-if/coverage.ts';
import { withDeactivated } from '../../what-if/proposals.ts';
import type { Call } from '../route.ts';

export type SavedSideParts = Pick<LedgerParts, 'sql' | 'configurations'>;

/** What any change is compared with, whichever it is. */
type SavedSide = Omit<ChangeContext, 'policies' | 'inoperative'>;

type SavedSideQuery = {
  readonly scheduleIds: readonly string[];
  /** Whom the same run deactivates before: the saved side is without them. */
  readonly deactivated?: readonly string[];
  /** Terraform makes the change. */
  readonly isManaged?: boolean;
  /** Whether the rules of this release apply, if that was read already. */
  readonly areNew?: boolean;
};

export async function readSavedSide(
  parts: SavedSideParts,
  { now, caller: { organizationId } }: Call,
  { scheduleIds, deactivated = [], isManaged = false, ...known }: SavedSideQuery,
): Promise<SavedSide> {
  const [read, edits, past, areNew] = await Promise.all([
    readConfiguration(parts, { organizationId, from: now, now }),
    nextEdits(parts.sql, { organizationId, scheduleIds, now }),
    readFormer(parts.sql, { organizationId, scheduleIds }),
    known.areNew ?? newScheduleRulesApply(parts.sql),
  ]);
  const configuration = withDeactivated(read.configuration, {
    userIds: deactivated,
    at: (schedule) => edits.get(schedule) ?? now,
    areNew,
  });
  const inactive = inactiveIn(configuration.people, areNew);
  const rules = areNew ? undefined : 'of 0.1.0';
  return {
    configuration,
    nextEdits: edits,
    past,
    rules,
    inactive,
    isManaged,
    now,
    years: YEARS,
  };
}
