// The one table of how a widget is shown.
import { use } from 'react';
import { isObject } from '../../resources/declaration/is-object.ts';
import { CheckField, SelectField, TextArea, TextField } from '../ui/field.tsx';
import { PickField } from '../ui/pick-field.tsx';
import { zonesWith } from '../ui/zones.ts';
import { type FieldProps, FormAround, labelOf, RecordFields } from './around.tsx';
import { typedNumber } from './draft.ts';
import type { Field } from './form.ts';
import { Group } from './group.tsx';
import { JsonField } from './json-field.tsx';
import { ChoicesField, ListField, MapField, RecordsField } from './lists.tsx';
import { OptionalGroup } from './optional-group.tsx';
import { usePicks, withChosen } from './picks.ts';
import { SecretField } from './secret-field.tsx';
import { VariantField } from './variant-field.tsx';
import { words } from './words.ts';

/** An optional text that is emptied is set no more. */
const typedText = ({ isRequired }: Field, text: string): string | undefined =>
  text === '' && !isRequired ? undefined : text;

export function DeclaredField({ field, path, value, onChange }: FieldProps) {
  const { widget, help } = field;
  const named = { path, label: labelOf(field), help };
  const text = value === undefined ? '' : String(value);
  switch (widget.type) {
    case 'text':
      if (widget.kind === 'time-zone')
        return (
          <PickField
            {...named}
            picks={zonesWith(text).map((zone) => ({ value: zone, label: zone }))}
            value={text}
            onChange={(zone) => onChange(typedText(field, zone))}
          />
        );
      return (
        <TextField
          {...named}
          value={text}
          placeholder={widget.example}
          autoComplete="off"
          spellCheck={widget.kind === 'plain'}
          {...(widget.kind === 'time' && { type: 'time' })}
          {...(widget.kind === 'uri' && { inputMode: 'url' })}
          onChange={(typed) => onChange(typedText(field, typed))}
        />
      );
    case 'long-text':
      return (
        <TextArea {...named} value={text} onChange={(typed) => onChange(typedText(field, typed))} />
      );
    case 'secret':
      return (
        <SecretField
          {...named}
          value={text}
          onChange={(typed) => onChange(typedText(field, typed))}
        />
      );
    case 'number':
      return (
        <TextField
          {...named}
          inputMode="numeric"
          autoComplete="off"
          value={text}
          onChange={(typed) => onChange(typedNumber(typed))}
        />
      );
    case 'flag':
      return (
        <CheckField
          {...named}
          label={field.label}
          isChecked={(value ?? widget.isSetByDefault) === true}
          onChange={onChange}
        />
      );
    case 'choice': {
      const isEmpty = value === undefined && widget.fallback === undefined;
      const none = isEmpty || !(field.isRequired || widget.fallback !== undefined);
      return (
        <SelectField
          {...named}
          label={widget.fallback === undefined ? named.label : field.label}
          value={text || (widget.fallback ?? '')}
          options={[
            ...(none ? [{ value: '', text: field.isRequired ? words.choose : words.none }] : []),
            ...widget.choices,
          ]}
          onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
        />
      );
    }
    case 'record':
      return (
        <RecordField field={{ ...field, widget }} path={path} value={value} onChange={onChange} />
      );
    case 'records':
      return (
        <RecordsField field={{ ...field, widget }} path={path} value={value} onChange={onChange} />
      );
    case 'choices':
      return (
        <ChoicesField field={{ ...field, widget }} path={path} value={value} onChange={onChange} />
      );
    case 'list':
      return (
        <ListField field={{ ...field, widget }} path={path} value={value} onChange={onChange} />
      );
    case 'map':
      return (
        <MapField field={{ ...field, widget }} path={path} value={value} onChange={onChange} />
      );
    case 'variant':
      return (
        <VariantField field={{ ...field, widget }} path={path} value={value} onChange={onChange} />
      );
    case 'json':
      return <JsonField {...named} value={value} onChange={onChange} />;
    case 'object':
      if (!field.isRequired)
        return (
          <OptionalGroup
            field={{ ...field, widget }}
            path={path}
            value={value}
            onChange={onChange}
          />
        );
      return (
        <Group path={path} label={field.label} help={help}>
          <RecordFields
            fields={widget.fields}
            draft={isObject(value) ? value : {}}
            path={path}
            onChange={onChange}
          />
        </Group>
      );
  }
}

function RecordField({ field, path, value, onChange }: FieldProps<'record'>) {
  const { to, within } = field.widget;
  const { teamId } = use(FormAround);
  const picks = usePicks(to, within === 'team' ? teamId : undefined);
  const chosen = typeof value === 'string' ? value : '';
  return (
    <PickField
      path={path}
      label={labelOf(field)}
      help={field.help}
      picks={withChosen(picks, chosen)}
      value={chosen}
      onChange={(id) => onChange(id === '' ? undefined : id)}
    />
  );
}
