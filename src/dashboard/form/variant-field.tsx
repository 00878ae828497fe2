import { isObject } from '../../resources/declaration/is-object.ts';
import { SelectField } from '../ui/field.tsx';
import { type FieldProps, RecordFields } from './around.tsx';
import { type Draft, newDraft, variantOf } from './draft.ts';
import { labelOf } from './labels.ts';
import { pathTo } from './parts.ts';
import { words } from './words.ts';

/** What it is, then the fields that only this has. */
export function VariantField({ field, path, value, onChange }: FieldProps<'variant'>) {
  const { widget } = field;
  const draft: Draft = isObject(value) ? value : {};
  const variant = variantOf(widget, draft);
  const choose = (chosen: string) => {
    const next = widget.variants.find((one) => one.value === chosen);
    // What both have stays, such as the text of another condition.
    const shared = (next?.fields ?? []).filter(({ name }) => draft[name] !== undefined);
    onChange({
      [widget.by]: chosen,
      ...newDraft(next?.fields ?? []),
      ...Object.fromEntries(shared.map(({ name }) => [name, draft[name]])),
    });
  };
  return (
    <>
      <SelectField
        path={pathTo(path, widget.by)}
        label={labelOf(widget.by)}
        help={variant?.help}
        value={variant?.value ?? ''}
        options={[
          ...(variant === undefined ? [{ value: '', text: words.choose }] : []),
          ...widget.variants,
        ]}
        onChange={choose}
      />
      {variant && (
        <RecordFields
          fields={variant.fields}
          draft={draft}
          path={path}
          onChange={(next) => onChange({ ...next, [widget.by]: variant.value })}
        />
      )}
    </>
  );
}
