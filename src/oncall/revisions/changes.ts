import { countedPerWeek, isCountedOpen } from '../handoffs.ts';
import type { Layer, Schedule } from '../schedule.ts';

const DAYS_PER_YEAR = 366;
const WEEKS_PER_YEAR = 53;

/** How often turns and windows change in a year, at most: what a walk through time costs. */
export const changesPerYear = ({ revisions, uncovered_by_design = [] }: Schedule): number =>
  edgesPerYear(uncovered_by_design) +
  Math.max(
    0,
    ...revisions.map(({ layers }) => layers.reduce((sum, each) => sum + changesOf(each), 0)),
  );

const edgesPerYear = (windows: readonly object[]): number => 2 * windows.length * WEEKS_PER_YEAR;

function changesOf(layer: Layer): number {
  const { rotation, restriction } = layer;
  const { length, unit } = rotation;
  const perYear = isCountedOpen(rotation) ? countedPerWeek(layer) * WEEKS_PER_YEAR : DAYS_PER_YEAR;
  const turns = (unit === 'weeks' ? WEEKS_PER_YEAR : perYear) / length;
  return turns + edgesPerYear(restriction?.windows ?? []);
}
