// Schedules whose shifts have started or ended.
import type { History } from '../../oncall/revisions/history.ts';
import type { Advance, ShiftCursor } from '../../shifts/advance.ts';
import type { AnnouncedSchedule } from '../../shifts/announce.ts';
import type { ShiftIntent } from '../../shifts/notice.ts';
import type { ConfigurationReader } from './changes.ts';
import type { FailureAt, IncidentKey } from './incidents.ts';

export type ScheduleKey = IncidentKey;

/** A schedule whose shift cursor is due. */
export type DueShiftCursor = {
  readonly schedule: AnnouncedSchedule;
  readonly cursor: ShiftCursor;
  /** What was in force from the cursor's position on. */
  readonly history: History;
};

/** What advancing a schedule's cursor found. */
export type ShiftChanges = Pick<DueShiftCursor, 'schedule'> & {
  readonly advanced: Advance;
  readonly intents: readonly ShiftIntent[];
};

export type ShiftTx = ConfigurationReader & {
  /** Locks schedules that are due and not locked; edits of them wait. */
  dueShiftCursors(now: Temporal.Instant, limit: number): Promise<readonly DueShiftCursor[]>;
  /** It cannot be advanced: its team's admins are notified, once until it could be. */
  postponeShiftCursor(id: ScheduleKey, failing: FailureAt): Promise<void>;
  /** Returns how many of the events had been recorded before: none, unless a lock was lost. */
  saveShifts(changes: readonly ShiftChanges[], now: Temporal.Instant): Promise<number>;
};
