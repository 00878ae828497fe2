// Computes the shifts and gaps of a schedule that is not saved. Pure, as coverage-task.ts.

import { editLayers } from '../../oncall/revisions/edits.ts';
import type { Interval, Schedule } from '../../oncall/schedule.ts';
import { shiftsIn } from '../../oncall/shifts.ts';
import { storedInstant } from '../../resources/instant.ts';
import { cover, firstGaps } from '../oncall/coverage-task.ts';
import { bounded, checkEffort } from '../oncall/effort.ts';
import { type People, renderShift } from '../oncall/render.ts';
import type { PreviewRequest } from './schedule-preview-request.ts';

export type PreviewInput = {
  readonly schedule: Pick<PreviewRequest, 'timezone' | 'layers' | 'overrides'>;
  /** When the schedule is assumed to be created. */
  readonly from: Temporal.Instant;
  readonly interval: Interval;
  readonly people: People;
};

export function runPreview({ schedule: request, from, interval, people }: PreviewInput) {
  const schedule = scheduleOf(request, from);
  checkEffort(schedule, interval);
  const shifts = bounded(shiftsIn(schedule, interval));
  const { gaps } = cover({ schedule, interval, people });
  const covered = gaps.length === 0;
  const coverage = { covered, gap_count: gaps.length, gaps: firstGaps(gaps, people) };
  return { data: shifts.map(renderShift), coverage };
}

function scheduleOf(
  { timezone: zone, layers: declared, overrides = [] }: PreviewInput['schedule'],
  from: Temporal.Instant,
): Schedule {
  const ids = declared.keys();
  const edited = editLayers({
    before: null,
    after: { timezone: zone, layers: declared },
    now: from,
    nextId: () => String(ids.next().value),
  });
  return {
    revisions: [{ from, archived: false, timezone: zone, layers: edited }],
    overrides: overrides.map(({ comment: _comment, ...each }, index) => ({
      ...each,
      id: String(index),
      start: storedInstant(each.start),
      end: storedInstant(each.end),
    })),
  };
}
