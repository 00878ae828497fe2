// Parts that the schemas of many answers share.
import Type, { type TSchema } from 'typebox';
import type { Unreadable } from '../engine/unreadable.ts';
import { instant, orNull } from '../resources/declaration/answer.ts';
import { objectOf, optional } from '../resources/declaration/field.ts';
import type { RemovedKind } from '../resources/retention.ts';
import type { Queries } from '../storage/database/database.ts';
import { timeText } from '../storage/records/rows.ts';
import { removedBefore } from '../storage/retention/removals.ts';

export const nextCursor = orNull(
  Type.String({ description: 'The cursor of the next page.' }),
  'The cursor of the next page. Null on the last page.',
);
export const noNextPage = Type.Null({ description: 'Always null: the list has one page.' });
const pageOfData = (one: TSchema) =>
  Type.Array(one, { description: 'The entries on this page, in list order.' });

export const pageSchema = (one: TSchema) =>
  objectOf({ data: pageOfData(one), next_cursor: nextCursor });

const unreadable = Type.Array(
  objectOf({
    id: Type.String({ description: 'The id of the record.' }),
    reason: Type.String({ description: 'What is wrong with the stored record.' }),
  }),
  {
    description: 'Records on this page that exist but cannot be read. Absent if there are none.',
  },
);

/** For records that are sealed or stored as JSON: one that cannot be read does not hide the others. */
export const unreadablePageSchema = (one: TSchema) =>
  objectOf({ ...pageSchema(one).properties, unreadable: optional(unreadable) });

type Unread = { readonly id: string; readonly error: Unreadable };

/** Splits a page into the records that could be read, and why the others could not. */
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
      'The organization’s retention removed entries that ended before this time, except those of open incidents. Absent if none were removed.',
    ),
  ),
};

/** A page of a log whose oldest entries are removed after a time. */
export const logSchema = (one: TSchema) =>
  objectOf({ data: pageOfData(one), next_cursor: nextCursor, ...removedShape });

/** Until when entries of this kind were removed, as an answer has it. */
export async function removedIn(sql: Queries, organizationId: string, kind: RemovedKind) {
  const before = await removedBefore(sql, organizationId, kind);
  return before === null ? {} : { removed_before: timeText(before) };
}

const warnings = optional(
  Type.Array(Type.String({ description: 'One warning, as a sentence.' }), {
    description: 'Parts of the record that may not work as intended. Absent if there are none.',
  }),
);

type ObjectSchema = ReturnType<typeof objectOf>;
const warnedSchemas = new WeakMap<ObjectSchema, ObjectSchema>();

/** The schema with warnings, for answers to writes. Each schema has one, so that it can be shared. */
export function warned(schema: ObjectSchema): ObjectSchema {
  const made = warnedSchemas.get(schema) ?? objectOf({ ...schema.properties, warnings });
  warnedSchemas.set(schema, made);
  return made;
}
