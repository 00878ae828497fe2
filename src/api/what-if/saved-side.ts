// What a change that is not saved is compared with.
import { inactiveIn } from '../../storage/oncall/activity.ts';
import type { ChangeContext } from '../../what-if/change-sides.ts';
import { YEARS } from '../../what-if/coverage.ts';
import { withDeactivated } from '../../what-if/proposals.ts';
import type { Call } from '../route.ts';
import type { SavedReads } from './preview-reads.ts';

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
  reads: SavedReads,
  { now }: Call,
  { scheduleIds, deactivated = [], isManaged = false, ...known }: SavedSideQuery,
): Promise<SavedSide> {
  const [read, edits, past, areNew] = await Promise.all([
    reads.configuration(),
    reads.nextEdits(scheduleIds),
    reads.former(scheduleIds),
    known.areNew ?? reads.newRulesApply(),
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
