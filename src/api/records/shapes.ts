// What the routes of the records answer, beyond the records themselves.
import Type from 'typebox';
import { objectOf } from '../../resources/declaration/field.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { unreadablePageSchema } from '../answers.ts';

export const pageShape = (resource: Resource) => unreadablePageSchema(resource.output);

export const archivedShape = objectOf({
  id: Type.String(),
  archived_at: Type.String({ format: 'date-time' }),
  warnings: Type.Array(Type.String(), { description: 'What still uses the record.' }),
});

export const integrationTypesShape = objectOf({
  data: Type.Array(
    objectOf({
      slug: Type.String(),
      name: Type.String(),
      description: Type.String(),
      guide_url: Type.String(),
    }),
  ),
  next_cursor: Type.Null(),
});
