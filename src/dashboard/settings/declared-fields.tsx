import { CheckField, SelectField, TextField } from '../ui/field.tsx';
import type { TypedFields } from './connection.ts';
import type { DeclaredField, Typed } from './declared.ts';
import { valueNames, words } from './words.ts';

type FieldsProps<Draft> = {
  fields: readonly DeclaredField[];
  draft: Draft;
  onChange: (draft: Draft) => void;
};

/** What readers see too. */
export const SettingFields = <Draft extends TypedFields>({
  fields,
  draft,
  onChange,
}: FieldsProps<Draft>) =>
  fields.map((field) => (
    <SettingField
      key={field.path}
      field={field}
      value={draft[field.path] ?? ''}
      onChange={(value) => onChange({ ...draft, [field.path]: value })}
    />
  ));

const labelOf = ({ label, isRequired }: DeclaredField): string =>
  isRequired ? label : words.optional(label);

type SettingFieldProps = {
  field: DeclaredField;
  value: Typed;
  onChange: (value: Typed) => void;
};

function SettingField({ field, value, onChange }: SettingFieldProps) {
  const { path, label, help, type, values, fallback, isRequired, example } = field;
  switch (type) {
    case 'flag':
      return (
        <CheckField
          path={path}
          label={label}
          help={help}
          onChange={onChange}
          isChecked={value === true}
        />
      );
    case 'choice': {
      const none = isRequired || fallback !== '' ? [] : [''];
      const options = [...none, ...values].map((one) => ({
        value: one,
        text: valueNames[one] ?? one,
      }));
      return (
        <SelectField
          path={path}
          help={help}
          options={options}
          onChange={onChange}
          label={fallback === '' ? labelOf(field) : label}
          value={String(value)}
        />
      );
    }
    case 'number':
    case 'list':
    case 'text':
      return (
        <TextField
          path={path}
          help={help}
          onChange={onChange}
          label={labelOf(field)}
          value={String(value)}
          placeholder={example}
          autoComplete="off"
          spellCheck={false}
          isList={type === 'list'}
          {...(type === 'number' && { inputMode: 'numeric' })}
        />
      );
  }
}

type SecretsProps<Draft> = FieldsProps<Draft> & {
  /** What is stored stays where nothing is typed. */
  mayStay: boolean;
};

/** No passwords of a person: browsers offer none for them and store none. */
export const SecretFields = <Draft extends TypedFields>({
  fields,
  draft,
  onChange,
  mayStay,
}: SecretsProps<Draft>) =>
  fields.map((field) => {
    const { path, help } = field;
    return (
      <TextField
        key={path}
        path={path}
        label={mayStay ? field.label : labelOf(field)}
        help={`${help} ${mayStay ? words.stays : words.sealed}`}
        type="password"
        autoComplete="new-password"
        spellCheck={false}
        value={String(draft[path] ?? '')}
        onChange={(value) => onChange({ ...draft, [path]: value })}
      />
    );
  });
