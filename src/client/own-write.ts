import type { TSchema } from 'typebox';
import type { Resource } from '../resources/declaration/resource.ts';
import type { Fields } from './answer.ts';
import { isSame } from './patch.ts';

type Write = {
  /** The version that it was decided on. */
  readonly before: number;
  /** The whole record, as far as whoever writes it knows it. */
  readonly fields: Fields;
  /** Those of them that are sent. */
  readonly sent: readonly string[];
};

/** Whether the record is what this write, and nothing after it, would have made of it. */
export function isAsWritten(resource: Resource, { before, fields, sent }: Write, record: Fields) {
  if (record['version'] !== before + 1) return false;
  const properties = resource.input.properties as Record<string, TSchema & { default?: unknown }>;
  return Object.entries(properties).every(([name, schema]) => {
    const own = fields[name] ?? schema.default ?? null;
    const is = record[name] ?? null;
    const isUnchanged = name === 'team_id' && own === null;
    // A secret that nobody stored is only known when it is sent.
    const isOpen = !sent.includes(name) && hasWriteOnly(schema);
    return isUnchanged || isOpen || isSame(own, is) || isSameTime(schema, own, is);
  });
}

const hasWriteOnly = (schema: TSchema): boolean =>
  JSON.stringify(schema).includes('"x-write-only":true');

/** Of a field that is a time: whether two texts are the same one. */
export const isSameTime = (schema: TSchema | undefined, one: unknown, other: unknown): boolean =>
  (schema as { readonly format?: string } | undefined)?.format === 'date-time' &&
  Date.parse(String(one)) === Date.parse(String(other));
