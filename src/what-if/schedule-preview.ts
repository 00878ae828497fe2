// The shifts and gaps of a schedule that is not saved.
import type { Declared } from '../oncall/revisions/edits.ts';
import type { Override, Schedule } from '../oncall/schedule.ts';
import { shiftsIn } from '../oncall/shifts.ts';
import { type CoverageInput, cover } from './coverage.ts';
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

export const previewOf = (input: CoverageInput) => ({
  shifts: shiftsIn(input.schedule, input.interval),
  gaps: cover(input).gaps,
});
