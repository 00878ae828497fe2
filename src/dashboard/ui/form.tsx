import { type ReactNode, useEffect, useState } from 'react';
import { type Failure, failureText } from '../../client/answer.ts';
import type { Problem } from '../../resources/declaration/resource.ts';
import { Button } from './button.tsx';
import { forgetDraft, markDraft, sendDraft, settleDraft } from './drafts.ts';
import { Problems } from './field.tsx';
import { namesIn, pathsNamed, withLabels } from './problem-words.ts';
import { TriedAgain } from './tried-again.tsx';
import { words } from './words.ts';
import { WriteButton } from './write-button.tsx';

type FormProps = {
  /** What the main button says; it begins with the name of the action. */
  save?: string;
  isPending: boolean;
  failure: Failure | null;
  onSave: () => void;
  onCancel?: () => void;
  /** Also by buttons; false: it is as it was again. Without it, what was typed once is a draft. */
  isTouched?: boolean;
  /** Of what the API refused, what is not corrected yet; without it, that of unchanged fields. */
  issues?: readonly Problem[];
  /** What the form calls a field that it may not show, by its name in the API. */
  nameOf?: (name: string) => string | undefined;
  /** What is seen to be wrong before it is sent: shown at its fields. */
  checked?: readonly Problem[];
  /** A field was left: its name, and those of the groups that it is in. */
  onLeave?: (names: readonly string[]) => void;
  isWide?: boolean;
  /** Its buttons stay in view. */
  isLong?: boolean;
  children: ReactNode;
};

/** What is typed stays whatever the API answers; its problems are above the form and at their fields. */
export function Form({
  save = words.save,
  isPending,
  failure,
  onSave,
  onCancel,
  isTouched,
  issues,
  checked = none,
  nameOf,
  onLeave,
  isWide = false,
  isLong = false,
  children,
}: FormProps) {
  const [form, setForm] = useState<HTMLFormElement | null>(null);
  const refused = failure?.type === 'refused' ? failure.issues : none;
  const changed = useChangedSince(failure);
  const labelled = (problem: Problem): Problem => ({
    path: problem.path,
    message: withLabels(
      problem.message,
      (name) =>
        nameOf?.(name) ??
        pathsNamed(problem.path, name)
          .map((path) => ownLabelOf(form, path))
          .find((label) => label !== undefined),
    ),
  });
  const problems = (issues ?? refused.filter((one) => !changed.corrects(one))).map(labelled);
  const isCorrected = refused.length > 0 && problems.length === 0;
  useEffect(() => {
    if (failure) focusFirst(form, refused);
  }, [failure, refused, form]);
  useEffect(() => {
    if (form === null) return;
    if (isTouched) markDraft(form);
    else if (isTouched === false) forgetDraft(form);
  }, [isTouched, form]);
  useEffect(() => {
    if (form === null) return;
    if (isPending) sendDraft(form);
    else settleDraft(form, !failure);
  }, [isPending, failure, form]);
  return (
    <form
      ref={setForm}
      noValidate
      aria-busy={isPending}
      className={`flex flex-col gap-4 ${isWide ? 'max-w-3xl' : 'max-w-md'}`}
      onChange={({ target }) => changed.note(target)}
      onBlur={({ target }) => onLeave?.(namesAround(target))}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) onSave();
      }}
      onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) => {
        if (key === 'Enter' && (ctrlKey || metaKey)) currentTarget.requestSubmit();
      }}
    >
      {failure && !isCorrected && <FailedSave failure={failure} problems={problems} form={form} />}
      <Problems value={[...problems, ...checked.map(labelled)]}>{children}</Problems>
      <div className={`flex flex-wrap gap-2 ${isLong ? 'save-bar' : ''}`}>
        <WriteButton kind="primary" type="submit" aria-disabled={isPending}>
          {isPending ? words.saving : save}
        </WriteButton>
        {onCancel && <Button onClick={onCancel}>{words.cancel}</Button>}
      </div>
      {isPending && <TriedAgain />}
    </form>
  );
}

const none: readonly Problem[] = [];

/** Which fields were changed since a save failed: what was wrong with them may no longer be. */
function useChangedSince(failure: Failure | null) {
  const [changed, setChanged] = useState({ failure, names: [] as readonly string[] });
  const names = changed.failure === failure ? changed.names : [];
  return {
    note(target: EventTarget) {
      const name = target instanceof HTMLElement ? (target.getAttribute('name') ?? '') : '';
      if (failure !== null && name !== '' && !names.includes(name))
        setChanged({ failure, names: [...names, name] });
    },
    corrects: ({ path, message }: Problem) =>
      [
        path,
        path.replace(/\[\d+\]$/, ''),
        ...namesIn(message).flatMap((one) => pathsNamed(path, one)),
      ].some((one) => names.includes(one)),
  };
}

type FailedSaveProps = {
  failure: Failure;
  problems: readonly Problem[];
  form: HTMLFormElement | null;
};

const FailedSave = ({ failure, problems, form }: FailedSaveProps) => (
  <div
    role="alert"
    tabIndex={-1}
    className="rounded-md border border-red bg-red-tint px-3 py-2 text-pretty"
  >
    <p className="font-medium">
      {failure.type === 'refused' && problems.length > 0 ? failure.message : failureText(failure)}
    </p>
    {problems.length > 0 && (
      <ul className="mt-1">
        {problems.map((problem) => (
          <li key={`${problem.path} ${problem.message}`}>
            <Where path={problem.path} form={form} />
            {problem.message}
          </li>
        ))}
      </ul>
    )}
  </div>
);

/** Leads to the field, where the form has it. */
function Where({ path, form }: { path: string; form: HTMLFormElement | null }) {
  if (path === '') return null;
  const label = labelOf(form, path);
  if (label === undefined) return <code className="font-mono text-sm">{path}: </code>;
  return (
    <>
      <button type="button" className="underline" onClick={() => fieldOf(form, path)?.focus()}>
        {label}
      </button>
      {': '}
    </>
  );
}

function focusFirst(form: HTMLFormElement | null, problems: readonly Problem[]): void {
  const fields = problems.flatMap(({ path }) => fieldOf(form, path) ?? []);
  const first = fields[0] ?? form?.querySelector<HTMLElement>('[role="alert"]');
  first?.focus();
}

function fieldOf(form: HTMLFormElement | null, path: string): HTMLElement | undefined {
  // Of a list that is typed as one text, its field stands for all members.
  const field =
    form?.elements.namedItem(path) ?? form?.elements.namedItem(path.replace(/\[\d+\]$/, ''));
  return field instanceof HTMLElement ? field : undefined;
}

/** With those of the groups around it: several members of a list have fields of the same label. */
function labelOf(form: HTMLFormElement | null, path: string): string | undefined {
  const field = fieldOf(form, path);
  if (field === undefined) return undefined;
  const own = ownLabelOf(form, path);
  if (!own) return undefined;
  const groups = groupsAround(field).filter((one) => one !== field && one.name !== '');
  return [...groups.toReversed().map(legendOf), own].filter(Boolean).join(' › ');
}

/** Without that it is optional: it is said of another field. */
function ownLabelOf(form: HTMLFormElement | null, path: string): string | undefined {
  const field = fieldOf(form, path);
  if (field === undefined) return undefined;
  const label =
    field instanceof HTMLFieldSetElement
      ? legendOf(field)
      : form?.querySelector(`label[for="${CSS.escape(field.id)}"]`)?.textContent;
  return label?.replace(/ \(optional\)$/, '') || undefined;
}

const legendOf = (group: HTMLFieldSetElement): string =>
  group.querySelector(':scope > legend')?.textContent ?? '';

function groupsAround(field: Element): readonly HTMLFieldSetElement[] {
  const group = field.closest('fieldset');
  if (group === null) return [];
  return [group, ...(group.parentElement ? groupsAround(group.parentElement) : [])];
}

const namesAround = (field: Element): readonly string[] => [
  ...('name' in field ? [String(field.name)] : []),
  ...groupsAround(field).map(({ name }) => name),
];
