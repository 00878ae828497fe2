// A schedule that is not saved, as if it were.
import type { Declared } from '../oncall/revisions/edits.ts';
import type { Override, Schedule } from '../oncall/schedule.ts';
import { editedSchedule } from './proposed-schedule.ts';

export type UnsavedSchedule = Declared & {
  /** Oldest first. */
  readonly overrides: readonly Override[];
};

/** As if it were created at that instant. */
export const scheduleOf = (
  { overrides, ...after }: UnsavedSchedule,
  at: Temporal.Instant,
): Schedule => ({ ...editedSchedule({ before: undefined, after, at }), overrides });
