import type { TSchema } from 'typebox';
import type { Resource } from '../resources/declaration/resource.ts';
import { isObject } from '../resources/declaration/validate.ts';
import type { Fields } from './answer.ts';

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

/** Null in a field means that it is absent; in a list it is a member. */
function isSame(sent: unknown, stored: unknown): boolean {
  if (Array.isArray(sent))
    return (
      Array.isArray(stored) &&
      sent.length === stored.length &&
      sent.every((one, index) => isSame(one, stored[index]))
    );
  if (!isObject(sent) || !isObject(stored)) return sent === stored;
  const names = new Set([...Object.keys(sent), ...Object.keys(stored)]);
  return [...names].every((name) => isSame(sent[name] ?? null, stored[name] ?? null));
}
