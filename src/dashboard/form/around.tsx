// What the fields of a form share: they are inside one another, and a page may have widgets of its own.
import { type ComponentType, createContext, use } from 'react';
import type { Problem } from '../../resources/declaration/resource.ts';
import { withLabels } from '../ui/problem-words.ts';
import { type Draft, withValue } from './draft.ts';
import type { Field, Widget } from './form.ts';
import { pathTo } from './parts.ts';
import { words } from './words.ts';

export type FieldProps<Of extends Widget['type'] = Widget['type']> = {
  field: Field & { readonly widget: Extract<Widget, { type: Of }> };
  path: string;
  /** As the draft has it; undefined: it is not set. */
  value: unknown;
  onChange: (value: unknown) => void;
};

/** A page's own widget for a field, by its path without indexes, such as `steps.targets`. */
export type OwnWidgets = Readonly<Record<string, ComponentType<FieldProps>>>;

type Around = {
  /** Whose records can be named. */
  readonly teamId: string | undefined;
  /** The whole record: what a widget of a page shows may depend on another field. */
  readonly draft: Draft;
  /** What is wrong with it, as far as is known without the server. */
  readonly problems: readonly Problem[];
  readonly own: OwnWidgets;
  /** What the form calls a field, by its name in the API. */
  readonly nameOf: (name: string) => string | undefined;
  /** The widget of any field. */
  readonly declared: ComponentType<FieldProps>;
};

export const FormAround = createContext<Around>({
  teamId: undefined,
  draft: {},
  problems: [],
  own: {},
  nameOf: () => undefined,
  declared: () => null,
});

type RecordFieldsProps = {
  fields: readonly Field[];
  draft: Draft;
  path?: string;
  onChange: (draft: Draft) => void;
};

export function RecordFields({ fields, draft, path = '', onChange }: RecordFieldsProps) {
  return fields.map((field) => (
    <OneField
      key={field.name}
      field={field}
      path={pathTo(path, field.name)}
      value={draft[field.name]}
      onChange={(value) => onChange(withValue(fields, draft, [field.name, value]))}
    />
  ));
}

export function OneField(props: FieldProps) {
  const { own, declared, nameOf } = use(FormAround);
  const View = own[props.path.replace(/\[[^\]]*\]/g, '')] ?? declared;
  // A description is that of the API, where fields have no labels.
  const help = withLabels(props.field.help, nameOf);
  return <View {...props} field={{ ...props.field, help }} />;
}

export const labelOf = ({ label, isRequired, widget }: Field): string => {
  const whole =
    widget.type === 'number' && widget.unit !== undefined ? `${label} (${widget.unit})` : label;
  return isRequired ? whole : words.optional(whole);
};
