import type { Shift } from '../src/oncall/schedule.ts';
import type { RecordedShift, ShiftEvent } from '../src/shifts/advance.ts';

type Stretch = Pick<Shift, 'source' | 'start' | 'end'>;
type Recorded = {
  readonly events: readonly ShiftEvent[];
  readonly running: RecordedShift | null;
  readonly now: Temporal.Instant;
};

/** As recorded, without what edits of one instant put between two parts of the same shift. */
export function recordedStretches({ events, running, now }: Recorded): readonly Stretch[] {
  const ended = events.filter(({ type }) => type === 'end').map(({ shift }) => shift);
  const all = running ? [...ended, { ...running, end: now }] : ended;
  const stretches: Stretch[] = [];
  for (const { source, start, end } of all) {
    if (start.equals(end)) continue;
    const last = stretches.at(-1);
    const continues = last?.source === source && last.end.equals(start);
    if (continues) stretches.splice(-1, 1, { ...last, end });
    else stretches.push({ source, start, end });
  }
  return stretches;
}

export const stretchText = ({ source, start, end }: Stretch) => `${source} ${start} to ${end}`;
