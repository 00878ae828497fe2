// The form of a record: its fields, what is wrong with them, and the button that saves it.
import { type ReactNode, useState } from 'react';
import type { Failure } from '../../client/answer.ts';
import type { Problem, Resource } from '../../resources/declaration/resource.ts';
import { Form } from '../ui/form.tsx';
import { FormAround, type OwnWidgets, RecordFields } from './around.tsx';
import { problemsOf } from './check.ts';
import { uncorrected } from './corrected.ts';
import type { Draft } from './draft.ts';
import { fieldLabelsOf } from './field-labels.ts';
import { DeclaredField } from './fields.tsx';
import { fieldsOf } from './form.ts';
import { fieldFor, fieldsShown } from './parts.ts';

type RecordFormProps = {
  resource: Resource;
  draft: Draft;
  onChange: (draft: Draft) => void;
  teamId: string | undefined;
  /** By path: widgets of this page in place of those of the table. */
  own?: OwnWidgets | undefined;
  save?: string;
  isTouched: boolean;
  isPending: boolean;
  failure: Failure | null;
  onSave: () => void;
  onCancel?: () => void;
  /** What else is known to be wrong. */
  more?: readonly Problem[];
  /** Above the fields. */
  above?: ReactNode;
  /** Below them, above the button. */
  below?: ReactNode;
};

const noWidgets: OwnWidgets = {};
const none: readonly Problem[] = [];

/**
 * A field is checked when it is left, in the words of the API; all of it by the server, when it is
 * saved. What the server refused is shown until its field is changed.
 */
export function RecordForm({
  resource,
  draft,
  onChange,
  teamId,
  own = noWidgets,
  failure,
  onSave,
  more = none,
  above,
  below,
  ...form
}: RecordFormProps) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [sent, setSent] = useState(draft);
  const fields = fieldsOf(resource);
  const shown = fieldsShown(fields, draft);
  const refused = failure?.type === 'refused' ? failure.issues : none;
  const issues = uncorrected(resource, refused, { sent, draft });
  const known = new Set(issues.map(({ path }) => path));
  const nameOf = (name: string) => fieldLabelsOf(resource).get(name);
  const problems = problemsOf(resource, draft);
  const checked = problems
    .filter(({ path }) => left.has(fieldFor(path, shown) ?? '') && !known.has(path))
    .concat(more);
  return (
    <Form
      {...form}
      isWide
      isLong
      failure={failure}
      issues={issues}
      checked={checked}
      nameOf={nameOf}
      onLeave={(names) => {
        if (names.some((name) => name !== '' && !left.has(name)))
          setLeft(new Set([...left, ...names.filter((name) => name !== '')]));
      }}
      onSave={() => {
        setSent(draft);
        onSave();
      }}
    >
      {above}
      <FormAround value={{ teamId, draft, problems, own, nameOf, declared: DeclaredField }}>
        <RecordFields fields={fields} draft={draft} onChange={onChange} />
        {below}
      </FormAround>
    </Form>
  );
}
