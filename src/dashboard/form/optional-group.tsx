import { isObject } from '../../resources/declaration/is-object.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { type FieldProps, RecordFields } from './around.tsx';
import { blankOf } from './draft.ts';
import { Group } from './group.tsx';
import { words } from './words.ts';

/** Fields that are there together or not at all. */
export function OptionalGroup({ field, path, value, onChange }: FieldProps<'object'>) {
  const { label, help, widget } = field;
  const isSet = isObject(value);
  return (
    <Group
      path={path}
      label={words.optional(label)}
      help={help}
      action={
        isSet && (
          <IconButton
            icon="x"
            label={words.remove(label)}
            className="ms-auto"
            onClick={() => onChange(undefined)}
          />
        )
      }
    >
      {isSet ? (
        <RecordFields fields={widget.fields} draft={value} path={path} onChange={onChange} />
      ) : (
        <Button icon="plus" className="self-start" onClick={() => onChange(blankOf(widget))}>
          {words.add(label)}
        </Button>
      )}
    </Group>
  );
}
