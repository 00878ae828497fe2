import { type Verdict, verdicts } from '../../resources/verdicts.ts';
import { WriteButton } from '../ui/write-button.tsx';
import { verdictNames } from './words.ts';

type ButtonsProps = {
  /** The question that they answer. */
  label: string;
  current?: Verdict | undefined;
  isPending: boolean;
  onChoose: (verdict: Verdict) => void;
};

/** One press each. */
export const VerdictButtons = ({ label, current, isPending, onChoose }: ButtonsProps) => (
  // biome-ignore lint/a11y/useSemanticElements: no fieldset, as nothing is filled in
  <div role="group" aria-label={label} className="flex flex-wrap gap-1.5">
    {verdicts.map((verdict) => (
      <WriteButton
        key={verdict}
        className="min-h-8 px-2.5"
        aria-pressed={verdict === current}
        aria-disabled={isPending}
        onClick={() => !isPending && onChoose(verdict)}
      >
        {verdictNames[verdict]}
      </WriteButton>
    ))}
  </div>
);
