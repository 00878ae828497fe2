// Shapes that only answers have. The service never reads them, so they have no limits.
import type { TSchema } from 'typebox';
import * as Type from 'typebox';
import { objectOf, optional } from './field.ts';

export const word = (description: string) => Type.String({ description });
export const instant = (description: string) => Type.String({ description, format: 'date-time' });
export const count = (description: string) => Type.Integer({ description, minimum: 0 });
export const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
export const link = objectOf({
  href: word('An http or https address.'),
  text: optional(word('The text of the link.')),
});
