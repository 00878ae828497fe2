// What a change that is not saved is compared with.
import type { Configuration } from '../../incidents/configuration.ts';
import { readConfiguration } from '../../storage/configuration/past-configuration.ts';
import type { LedgerParts } from '../../storage/ledger/context.ts';
import { nextEdits } from '../../storage/oncall/shift-cursor.ts';
import type { Call } from '../route.ts';

export type SavedSideParts = Pick<LedgerParts, 'sql' | 'configurations'>;

type SavedSide = {
  readonly configuration: Configuration;
  /** By schedule, when an edit of it would take effect. */
  readonly nextEdits: ReadonlyMap<string, Temporal.Instant>;
};

export async function readSavedSide(
  parts: SavedSideParts,
  { now, caller: { organizationId } }: Call,
  scheduleIds: readonly string[],
): Promise<SavedSide> {
  const [{ configuration }, edits] = await Promise.all([
    readConfiguration(parts, { organizationId, from: now, now }),
    nextEdits(parts.sql, { organizationId, scheduleIds, now }),
  ]);
  return { configuration, nextEdits: edits };
}
