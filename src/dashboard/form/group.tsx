import type { ReactNode } from 'react';
import { ProblemText, useProblem } from '../ui/field.tsx';

type GroupProps = {
  path: string;
  label: string;
  help?: string | undefined;
  /** Problems of its members are shown here, since those have no fields of their own. */
  isList?: boolean;
  /** Of one member of a list. */
  isMember?: boolean;
  /** The label is only read aloud: what is around it says the same. */
  isHidden?: boolean;
  /** Beside the label. */
  action?: ReactNode;
  children: ReactNode;
};

/** Several fields of one value, by its path: the form leads there when the whole of it is wrong. */
export function Group({
  path,
  label,
  help,
  isList = false,
  isMember = false,
  isHidden = false,
  action,
  children,
}: GroupProps) {
  const problem = useProblem(path, isList);
  return (
    <fieldset
      name={path}
      tabIndex={-1}
      aria-invalid={problem !== undefined}
      className={`flex min-w-0 flex-col gap-3 ${isMember ? 'rounded-lg border border-line bg-surface p-3' : ''} ${problem ? 'border-red' : ''}`}
    >
      <legend className={`font-medium ${isMember || isHidden ? 'sr-only' : ''}`}>{label}</legend>
      {(isMember || action) && (
        <div className="flex min-h-8 items-center gap-1">
          {isMember && (
            <span aria-hidden="true" className="min-w-0 flex-1 font-medium">
              {label}
            </span>
          )}
          {action}
        </div>
      )}
      <div className="text-sm text-pretty empty:hidden">
        <ProblemText problem={problem} />
        {help && <p className="text-ink3">{help}</p>}
      </div>
      {children}
    </fieldset>
  );
}
