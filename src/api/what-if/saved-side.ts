// What a change that is not saved is compared with.
import type { Configuration } from '../../incidents/configuration.ts';
import type { Former } from '../../oncall/revisions/undo.ts';
import { readConfiguration } from '../../storage/configuration/past-configuration.ts';
import type { LedgerParts } from '../../storage/ledger/context.ts';
import { readFormer } from '../../storage/oncall/revisions.ts';
import { newScheduleRulesApply } from '../../storage/oncall/schedule-rules.ts';
import { nextEdits } from '../../storage/oncall/shift-cursor.ts';
import type { ScheduleEdit } from '../../what-if/proposed-schedule.ts';
import type { Call } from '../route.ts';

export type SavedSideParts = Pick<LedgerParts, 'sql' | 'configurations'>;

type SavedSide = {
  readonly configuration: Configuration;
  /** By schedule, when an edit of it would take effect. */
  readonly nextEdits: ReadonlyMap<string, Temporal.Instant>;
  /** By schedule, its latest revisions. */
  readonly past: ReadonlyMap<string, readonly Former[]>;
  readonly rules: ScheduleEdit['rules'];
};

export async function readSavedSide(
  parts: SavedSideParts,
  { now, caller: { organizationId } }: Call,
  scheduleIds: readonly string[],
): Promise<SavedSide> {
  const [{ configuration }, edits, past, areNew] = await Promise.all([
    readConfiguration(parts, { organizationId, from: now, now }),
    nextEdits(parts.sql, { organizationId, scheduleIds, now }),
    readFormer(parts.sql, { organizationId, scheduleIds }),
    newScheduleRulesApply(parts.sql),
  ]);
  return { configuration, nextEdits: edits, past, rules: areNew ? undefined : 'of 0.1.0' };
}
