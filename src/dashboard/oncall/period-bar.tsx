import { Button, IconButton } from '../ui/button.tsx';
import { type Period, periods } from './periods.ts';
import { words } from './words.ts';

type PeriodBarProps = {
  period: Period;
  /** What is shown, such as `November 2026`. */
  title: string;
  isNow: boolean;
  choose: (period: Period) => void;
  step: (steps: number) => void;
  today: () => void;
};

export const PeriodBar = ({ period, title, isNow, choose, step, today }: PeriodBarProps) => (
  <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
    <IconButton icon="chevron-left" label={words.before} onClick={() => step(-1)} />
    <Button onClick={today} disabled={isNow}>
      {words.today}
    </Button>
    <IconButton icon="chevron-right" label={words.after} onClick={() => step(1)} />
    <fieldset className="flex gap-0.5">
      <legend className="sr-only">{words.period}</legend>
      {periods.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === period}
          onClick={() => choose(one)}
          className="min-h-9 rounded-md border border-transparent px-2.5 text-ink2 hover:text-ink aria-pressed:border-line aria-pressed:bg-surface aria-pressed:font-medium aria-pressed:text-ink pointer-coarse:min-h-11"
        >
          {words.periods[one]}
        </button>
      ))}
    </fieldset>
    <span className="ms-1 text-ink2">{title}</span>
  </div>
);
