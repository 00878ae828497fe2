// When nobody is on call for a schedule in the years ahead, and what whoever saves it is warned of.
import { queryLimits } from '../limits/queries.ts';
import { coverageOf } from '../oncall/coverage.ts';
import { yearsAfter, yearsWithin } from '../oncall/effort.ts';
import type { Interval, Schedule } from '../oncall/schedule.ts';
import { type People, type Searched, troubleOf, warningsOf, yearsText } from './coverage-words.ts';
import { openDayNotes } from './open-day-notes.ts';

/** How far ahead gaps are searched, unless more or less is requested. */
export const YEARS = 10;

export type CoverageInput = {
  readonly schedule: Schedule;
  readonly interval: Interval;
  readonly people: People;
};

/** The gaps, who never has a shift, and the people on call who cannot be paged. */
export function cover({ schedule, interval, people }: CoverageInput) {
  const missing = new Map<string, string>();
  const coverage = coverageOf(schedule, interval, (id) => {
    const trouble = troubleOf(people.get(id));
    if (trouble !== null) missing.set(id, trouble);
    return trouble;
  });
  return { ...coverage, missing, people };
}

export type YearsInput = {
  readonly schedule: Schedule;
  readonly from: Temporal.Instant;
  readonly years: number;
  readonly people: People;
};

/** The gaps of the years ahead, as warnings for whoever saved the schedule. */
export function warningsOfYears({ schedule, from, years, people }: YearsInput): readonly string[] {
  const searched = searchedYears([schedule], from, years);
  if (searched === null) return [notSearched];
  const { interval } = searched;
  const covered = cover({ schedule, interval, people });
  const notes = openDayNotes(schedule, covered.idle);
  return warningsOf({ ...covered, ...searched }, notes);
}

/** The years that a save searches, in all of the schedules; null: one of them changes too often. */
export function searchedYears(
  schedules: readonly Schedule[],
  from: Temporal.Instant,
  most: number,
): Searched | null {
  const years = Math.min(
    most,
    ...schedules.map((one) => yearsWithin(queryLimits.coverageChangesOfSave, one)),
  );
  if (years < 1) return null;
  return { interval: { from, to: yearsAfter(from, years) }, period: yearsText(years) };
}

export const notSearched = 'The schedule was not checked for gaps because it changes too often.';
