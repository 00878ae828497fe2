import type { Layer } from './schedule.ts';

const DAYS_PER_YEAR = 366;
const WEEKS_PER_YEAR = 53;

/** How often turns and windows of these layers change in a year, at most: what a walk costs. */
export function changesPerYear(layers: readonly Layer[]): number {
  return layers.reduce((sum, { rotation, restriction }) => {
    const { length, unit } = rotation;
    const turns = (unit === 'weeks' ? WEEKS_PER_YEAR : DAYS_PER_YEAR) / length;
    const windows = restriction?.windows.length ?? 0;
    return sum + turns + 2 * windows * WEEKS_PER_YEAR;
  }, 0);
}
