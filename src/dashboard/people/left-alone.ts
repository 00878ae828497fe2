// What a deactivation leaves to nobody, or to somebody else, as the API previews it.
import type { ChangedSchedule } from './queries.ts';

export type Stretch = {
  readonly from: string;
  readonly to: string | null;
  /** Who is on call instead; null: nobody. */
  readonly instead: string | null;
};

/** The moved shifts of the next weeks, then the gaps after them; how many more there are. */
export function leftOf({ gaps, gaps_count, moved_shifts, moved_shifts_count }: ChangedSchedule): {
  readonly stretches: readonly Stretch[];
  readonly more: number;
} {
  const moved = moved_shifts.map(
    ({ from, to, after }): Stretch => ({ from, to, instead: after[0]?.name ?? null }),
  );
  const later = gaps
    .filter((gap) => !moved.some((shift) => overlaps(shift, gap)))
    .map((gap): Stretch => ({ from: gap.from, to: gap.to, instead: null }));
  // Gaps of the next weeks are moved shifts, too, and the rest of either list is not known.
  const more = Math.max(moved_shifts_count - moved_shifts.length, gaps_count - gaps.length);
  return { stretches: [...moved, ...later], more };
}

type Period = Pick<Stretch, 'from' | 'to'>;

const timeOf = (text: string | null) =>
  text === null ? Number.POSITIVE_INFINITY : Date.parse(text);

const overlaps = (one: Period, other: Period) =>
  timeOf(one.from) < timeOf(other.to) && timeOf(other.from) < timeOf(one.to);
