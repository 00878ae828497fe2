// The shifts and gaps of a schedule that is not saved, as the API answers them.
import { type Interval, pickByDesign } from '../../oncall/schedule.ts';
import { cutShiftsIn } from '../../oncall/shifts.ts';
import { storedInstant } from '../../resources/instant.ts';
import { cover } from '../../what-if/coverage.ts';
import type { People } from '../../what-if/coverage-words.ts';
import { editedSchedule, withInactive } from '../../what-if/proposed-schedule.ts';
import { firstGaps, wholly } from '../oncall/coverage-task.ts';
import { bounded, checkEffort } from '../oncall/effort.ts';
import { renderCutShift } from '../oncall/render.ts';
import type { PreviewRequest } from './schedule-preview-request.ts';

export type PreviewInput = {
  readonly schedule: Pick<
    PreviewRequest,
    'timezone' | 'layers' | 'overrides' | 'uncovered_by_design'
  >;
  /** When the schedule is assumed to be created. */
  readonly from: Temporal.Instant;
  readonly interval: Interval;
  readonly people: People;
  readonly inactive: ReadonlySet<string>;
};

export function runPreview(input: PreviewInput) {
  const { schedule: request, from, interval, people, inactive } = input;
  const { timezone, layers } = request;
  const after = { timezone, layers, ...pickByDesign(request) };
  const isActive = (user: string) => !inactive.has(user);
  const declared = editedSchedule({ before: undefined, after, at: from, isActive });
  const schedule = withInactive({ ...declared, overrides: overridesIn(request) }, inactive, from);
  checkEffort(schedule, interval);
  const shifts = bounded(cutShiftsIn(schedule, interval));
  const cut = cover({ schedule, interval, people });
  const covered = cut.gaps.length === 0;
  const whole = wholly(cut, { schedule, interval, people, now: from });
  const coverage = { covered, gap_count: cut.gaps.length, gaps: firstGaps(whole, people) };
  return { data: shifts.map(renderCutShift), coverage };
}

const overridesIn = ({ overrides = [] }: PreviewInput['schedule']) =>
  overrides.map(({ comment, ...each }, index) => ({
    ...each,
    ...(comment !== undefined && { comment }),
    id: String(index),
    start: storedInstant(each.start),
    end: storedInstant(each.end),
  }));
