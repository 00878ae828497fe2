import Type from 'typebox';
import { word } from '../../resources/declaration/answer.ts';
import { choice, listOf, optional } from '../../resources/declaration/field.ts';

const added = 'What is added';
const doc =
  'What to add to the response, separated by commas: names adds the names of related records. next adds upcoming timer events and, in lists, the paging state and who was reached';

/** What an answer about incidents has beside them, if it is asked for. */
export const include = optional(
  listOf(choice(['names', 'next'], { doc: `${added}.` }), { doc: `${doc}.`, max: 2 }),
);

/** The same of a list. */
export const includeInList = optional(
  listOf(choice(['names', 'next', 'handled_by', 'counts'], { doc: `${added}.` }), {
    doc: `${doc}. handled_by adds who acknowledged or resolved each incident. counts adds the result of GET /incidents/counts for the listed teams, ignoring other filters.`,
    max: 4,
  }),
);

export const includedNames = optional(
  Type.Record(Type.String(), word('A name.'), {
    description:
      'With include=names: the names of the incidents’ services, integrations, policies, teams and responders, by id. Names that the caller may not see are left out.',
  }),
);
