import Type from 'typebox';
import { word } from '../../resources/declaration/answer.ts';
import { choice, listOf, optional } from '../../resources/declaration/field.ts';

const added = 'What is added';
const doc =
  'What to add to the answer, separated by commas: names, of everything that the incidents refer to; next, what their timers do next, and in lists the state of their paging';

/** What an answer about incidents has beside them, if it is asked for. */
export const include = optional(
  listOf(choice(['names', 'next'], { doc: `${added}.` }), { doc: `${doc}.`, max: 2 }),
);

/** The same of a list. */
export const includeInList = optional(
  listOf(choice(['names', 'next', 'counts'], { doc: `${added}.` }), {
    doc: `${doc}; counts, as GET /incidents/counts has them, of the teams that the list is of, whatever else narrows it.`,
    max: 3,
  }),
);

export const includedNames = optional(
  Type.Record(Type.String(), word('A name.'), {
    description:
      'With include=names: the names of the services, integrations, policies, teams and responders of the incidents, by id; without those that the caller may not see.',
  }),
);
