// What the schemas of answers are made of.
import Type, { type TSchema } from 'typebox';
import { orNull } from '../resources/declaration/answer.ts';
import { objectOf, optional } from '../resources/declaration/field.ts';

export const nextCursor = orNull(
  Type.String(),
  'Send it as cursor to get the next page; null on the last one.',
);
export const pageSchema = (one: TSchema) =>
  objectOf({ data: Type.Array(one), next_cursor: nextCursor });

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
