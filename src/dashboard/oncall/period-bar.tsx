import { Button, IconButton } from '../ui/button.tsx';
import { Choices } from './choices.tsx';
import { periods } from './periods.ts';
import type { usePeriod } from './use-period.ts';
import { words } from './words.ts';

type PeriodBarProps = {
  shown: ReturnType<typeof usePeriod>;
  /** What is shown, such as `November 2026`. */
  title: string;
};

const lengths = periods.filter((one) => one !== 'weekend');
/** By how many weeks from now they are. */
const weekends = ['0', '1'] as const;

export const PeriodBar = ({ shown, title }: PeriodBarProps) => (
  <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
    <IconButton icon="chevron-left" label={words.before} onClick={() => shown.step(-1)} />
    <Button onClick={shown.today} disabled={shown.isNow}>
      {words.today}
    </Button>
    <IconButton icon="chevron-right" label={words.after} onClick={() => shown.step(1)} />
    <span className="ms-1 me-3 text-lg font-bold">{title}</span>
    <Choices
      label={words.period}
      values={lengths}
      text={(one) => words.periods[one]}
      chosen={lengths.find((one) => one === shown.period) ?? null}
      choose={shown.choose}
    />
    <Choices
      label={words.weekend}
      values={weekends}
      text={(one) => words.weekends[one]}
      chosen={weekends.find((one) => Number(one) === shown.weekendIn) ?? null}
      choose={(one) => shown.showWeekend(Number(one))}
    />
  </div>
);
