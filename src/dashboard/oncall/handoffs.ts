// When somebody else takes over, of the bars of who is on call.
import type { Bar } from './bar.ts';

/** `to` and `from` are null where nobody is on call. */
export type Handoff = {
  readonly at: number;
  readonly from: string | null;
  readonly to: string | null;
};

const SHOWN = 3;

/** The next ones after that time, as far as the bars go. */
export function nextHandoffs(bars: readonly Bar[], after: number): readonly Handoff[] {
  const shifts = bars.filter(({ userId }) => userId !== undefined);
  const ordered = shifts.toSorted((one, other) => one.start - other.start);
  return ordered
    .flatMap((bar, index): Handoff[] => {
      const next = ordered[index + 1];
      if (next === undefined) return [];
      const isGap = next.start > bar.end;
      if (!isGap && next.userId === bar.userId) return [];
      if (!isGap) return [{ at: next.start, from: bar.full, to: next.full }];
      return [
        { at: bar.end, from: bar.full, to: null },
        { at: next.start, from: null, to: next.full },
      ];
    })
    .filter(({ at }) => at > after)
    .slice(0, SHOWN);
}
