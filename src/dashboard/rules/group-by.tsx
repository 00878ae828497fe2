// What alerts have in common that a rule groups, chosen as in the form of an integration.
import { useQuery } from '@tanstack/react-query';
import type { FieldProps } from '../form/around.tsx';
import { Group } from '../form/group.tsx';
import { valuesOf } from '../integration/grouping/grouping.ts';
import { Values } from '../integration/grouping/values.tsx';
import { detailKeysQuery } from './queries.ts';

export function GroupBy({ field, path, value, onChange }: FieldProps) {
  const { data: keys } = useQuery(detailKeysQuery);
  return (
    <Group path={path} label={field.label} help={field.help}>
      <Values
        hasGroups
        by={valuesOf({ by: value })}
        path={path}
        keys={keys}
        mayBeEmpty
        onChange={onChange}
      />
    </Group>
  );
}
