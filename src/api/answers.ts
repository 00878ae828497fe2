// What the schemas of answers are made of.
import Type, { type TSchema } from 'typebox';
import type { Unreadable } from '../engine/unreadable.ts';
import { instant, orNull } from '../resources/declaration/answer.ts';
import { objectOf, optional } from '../resources/declaration/field.ts';
import type { RemovedKind } from '../resources/retention.ts';
import type { Queries } from '../storage/database.ts';
import { timeText } from '../storage/records/rows.ts';
import { removedBefore } from '../storage/retention/removals.ts';

export const nextCursor = orNull(
  Type.String(),
  'Send it as cursor to get the next page; null on the last one.',
);
export const pageSchema = (one: TSchema) =>
  objectOf({ data: Type.Array(one), next_cursor: nextCursor });

const unreadable = Type.Array(
  objectOf({
    id: Type.String(),
    reason: Type.String({ description: 'What is wrong with what is stored.' }),
  }),
  { description: 'What of this page cannot be read; it exists all the same.' },
);

/** Of what is sealed or kept as JSON: one that cannot be read keeps nobody from the others. */
export const unreadablePageSchema = (one: TSchema) =>
  objectOf({ ...pageSchema(one).properties, unreadable: optional(unreadable) });

type Unread = { readonly id: string; readonly error: Unreadable };

/** Those of a page that can be shown, and why the others cannot. */
export function readableOf<T extends object>(page: readonly (T | Unread)[]) {
  const isUnread = (one: T | Unread): one is Unread => 'error' in one;
  const broken = page.filter(isUnread);
  return {
    readable: page.filter((one): one is T => !isUnread(one)),
    broken,
    ...(broken.length > 0 && {
      unreadable: broken.map(({ id, error }) => ({ id, reason: error.message })),
    }),
  };
}

const removedShape = {
  removed_before: optional(
    instant(
      'What ended before then had been kept long enough and is removed, but what belongs to an incident that goes on.',
    ),
  ),
};

/** Of a log whose oldest rows are removed. */
export const logSchema = (one: TSchema) =>
  objectOf({ data: Type.Array(one), next_cursor: nextCursor, ...removedShape });

/** What an answer says of what is no longer kept of the caller's organisation. */
export async function removedIn(sql: Queries, organizationId: string, kind: RemovedKind) {
  const before = await removedBefore(sql, organizationId, kind);
  return before === null ? {} : { removed_before: timeText(before) };
}

const warnings = optional(
  Type.Array(Type.String(), { description: 'What should be known of it; absent if nothing.' }),
);

type ObjectSchema = ReturnType<typeof objectOf>;
const warnedSchemas = new WeakMap<ObjectSchema, ObjectSchema>();

/** The same, and what should be known of what was written; one schema for each. */
export function warned(schema: ObjectSchema): ObjectSchema {
  const made = warnedSchemas.get(schema) ?? objectOf({ ...schema.properties, warnings });
  warnedSchemas.set(schema, made);
  return made;
}
