import Type from 'typebox';
import { word } from '../../resources/declaration/answer.ts';
import { choice, listOf, optional } from '../../resources/declaration/field.ts';

/** What an answer about incidents has beside them, if it is asked for. */
export const include = optional(
  listOf(choice(['names', 'next'], { doc: 'What is added.' }), {
    doc: 'What is added to the answer, with commas between: names, of all that the incidents refer to; next, what their timers do next.',
    max: 2,
  }),
);

export const includedNames = optional(
  Type.Record(Type.String(), word('A name.'), {
    description:
      'With include=names: the names of the services, integrations, policies, teams and responders of the incidents, by id; without those that the caller may not see.',
  }),
);
