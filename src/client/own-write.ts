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
    const isUnchanged = name === 'team_id' && sent === null;
    return isUnchanged || isSame(sent, record[name] ?? null);
  });
}
