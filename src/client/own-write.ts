import type { TSchema } from 'typebox';
import type { Resource } from '../resources/declaration/resource.ts';
import type { Fields } from './answer.ts';
import { isSame } from './patch.ts';

type Write = {
  /** The version that it was decided on. */
  readonly before: number;
  readonly fields: Fields;
};

/** Whether the record is what this write, and nothing after it, would have made of it. */
export function isAsWritten(resource: Resource, { before, fields }: Write, record: Fields) {
  if (record['version'] !== before + 1) return false;
  const properties = resource.input.properties as Record<string, TSchema & { default?: unknown }>;
  return Object.entries(properties).every(([name, schema]) => {
    const sent = fields[name] ?? schema.default ?? null;
    const is = record[name] ?? null;
    const isUnchanged = name === 'team_id' && sent === null;
    return isUnchanged || isSame(sent, is) || isSameTime(schema, sent, is);
  });
}

/** Of a field that is a time: whether two texts are the same one. */
export const isSameTime = (schema: TSchema | undefined, one: unknown, other: unknown): boolean =>
  (schema as { readonly format?: string } | undefined)?.format === 'date-time' &&
  Date.parse(String(one)) === Date.parse(String(other));
