// What the API keeps and Terraform has no words for.
import type { TSchema } from 'typebox';
import type { Keywords } from '../../resources/declaration/field.ts';
import { isObject } from '../../resources/declaration/is-object.ts';
import { mapText } from '../../resources/declaration/references-and-secrets.ts';
import type { ExportedRecord } from './organization.ts';

type Exported = Pick<ExportedRecord, 'resource' | 'record'>;
type Facts = Readonly<Record<string, unknown>>;

/** The fields that Terraform does not know, and leaves as they are. */
export const leftAway = ({ resource, record }: Exported): readonly string[] =>
  Object.entries(resource.input.properties as Readonly<Record<string, Facts>>)
    .filter(([, field]) => field['x-api-only'] === true && field['x-set-elsewhere'] === true)
    .flatMap(([name]) => (record[name] === undefined ? [] : name));

/** Why Terraform cannot manage the record: each is something that its next update would remove. */
export function inexpressible({ resource, record }: Exported): string[] {
  const reasons = nullsIn(record, '').map((path) => `${path} is null`);
  mapText(resource.input, record, ({ schema, value, path }) => {
    const keywords = schema as TSchema & Facts;
    const choices = keywords['x-terraform'] as Keywords['terraform'];
    if (choices && !choices.values.includes(value)) reasons.push(`${path} is ${value}`);
    if (keywords['x-api-only'] === true) reasons.push(`${path} is set`);
    return value;
  });
  return reasons;
}

/** Null says something of its own only in a list. */
function nullsIn(value: unknown, path: string): readonly string[] {
  if (value === null) return [path];
  if (Array.isArray(value)) return value.flatMap((one, index) => nullsIn(one, `${path}[${index}]`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    nullsIn(one, path === '' ? name : `${path}.${name}`),
  );
}
