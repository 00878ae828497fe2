// Fields of a form. Each has the path by which the API names it in its problems.
import { type ComponentProps, createContext, type ReactNode, use, useId } from 'react';
import type { Problem } from '../../resources/declaration/resource.ts';

/** Of the form around a field: what the API has said of it. */
export const Problems = createContext<readonly Problem[]>([]);

const box =
  'w-full rounded-md border border-edge bg-surface px-2.5 placeholder:text-ink3 disabled:bg-sunken disabled:text-ink3 aria-[invalid=true]:border-red pointer-coarse:text-lg';
const line = `${box} h-9 pointer-coarse:h-11`;

type Named = {
  path: string;
  label: ReactNode;
  help?: ReactNode;
  /** On a desktop, the label is beside the control. */
  isRow?: boolean | undefined;
  /** What is typed are several members: the problems of each are shown here. */
  isList?: boolean | undefined;
};
type Described = {
  readonly id: string;
  readonly name: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string;
};

/** Of one's own control; the fields below are made of it. */
export function Field({
  path,
  label,
  help,
  isRow = false,
  isList = false,
  children,
}: Named & { children: (control: Described) => ReactNode }) {
  const id = useId();
  const problem = useProblem(path, isList);
  return (
    <div
      className={`flex min-w-0 flex-col gap-1 ${isRow ? 'md:grid md:grid-cols-2 md:items-center md:gap-x-4' : ''}`}
    >
      <label htmlFor={id} className="min-w-0 font-medium">
        {label}
      </label>
      {children({
        id,
        name: path,
        'aria-invalid': problem !== undefined,
        'aria-describedby': `${id}-about`,
      })}
      <div
        id={`${id}-about`}
        className={`text-sm text-pretty empty:hidden ${isRow ? 'md:col-start-2' : ''}`}
      >
        <ProblemText problem={problem} />
        {help && <p className="text-ink3">{help}</p>}
      </div>
    </div>
  );
}

type TextFieldProps = Named &
  Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'name' | 'id'> & {
    value: string;
    onChange: (value: string) => void;
  };

export const TextField = ({ path, label, help, isList, onChange, ...rest }: TextFieldProps) => (
  <Field path={path} label={label} help={help} isList={isList}>
    {(control) => (
      <input
        className={line}
        {...rest}
        {...control}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
);

type TextAreaProps = Named & {
  value: string;
  onChange: (value: string) => void;
  maxLength?: number;
  placeholder?: string;
};

export const TextArea = ({ path, label, help, onChange, ...rest }: TextAreaProps) => (
  <Field path={path} label={label} help={help}>
    {(control) => (
      <textarea
        rows={3}
        className={`${box} min-h-20 py-1.5`}
        {...rest}
        {...control}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
);

export type Option = {
  readonly value: string;
  readonly text: string;
  readonly isDisabled?: boolean;
};

type SelectFieldProps = Named & {
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
  isDisabled?: boolean;
};

/** The system's own list: a phone shows it well. */
export const SelectField = ({
  options,
  value,
  onChange,
  isDisabled,
  ...named
}: SelectFieldProps) => (
  <Field {...named}>
    {(control) => (
      <select
        className={line}
        {...control}
        value={value}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.isDisabled}>
            {option.text}
          </option>
        ))}
      </select>
    )}
  </Field>
);

type CheckFieldProps = Named & {
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
  isDisabled?: boolean;
};

export function CheckField({
  path,
  label,
  help,
  isChecked,
  onChange,
  isDisabled,
}: CheckFieldProps) {
  const id = useId();
  const problem = useProblem(path);
  return (
    <div className="flex gap-2.5 pointer-coarse:py-2">
      <input
        id={id}
        name={path}
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-about`}
        onChange={({ target }) => onChange(target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-ink pointer-coarse:size-6"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="pointer-coarse:text-lg">
          {label}
        </label>
        <div id={`${id}-about`} className="text-sm text-pretty empty:hidden">
          <ProblemText problem={problem} />
          {help && <p className="text-ink3">{help}</p>}
        </div>
      </div>
    </div>
  );
}

export const ProblemText = ({ problem }: { problem: Problem | undefined }) =>
  problem && <p className="font-medium text-red">{problem.message}</p>;

export const useProblem = (path: string, isList = false): Problem | undefined =>
  use(Problems).find(
    (problem) => problem.path === path || (isList && problem.path.startsWith(`${path}[`)),
  );
