// How far a new installation is set up, and what is left to do.
import Type from 'typebox';
import { orNull, word } from '../../resources/declaration/answer.ts';
import { choice, flag, id, objectOf, optional } from '../../resources/declaration/field.ts';
import { roles } from '../../resources/roles.ts';
import type { Queries } from '../../storage/database.ts';
import { readSetup, type SetupFacts } from '../../storage/setup.ts';
import { scopeOf } from '../incidents/incident-in-path.ts';
import type { Caller } from '../route.ts';

const names = ['test_event', 'contact', 'tool', 'colleague', 'schedule'] as const;
type Name = (typeof names)[number];

type Step = {
  readonly needs: (typeof roles)[number];
  readonly isDone: (facts: SetupFacts) => boolean;
};

/** In the order in which they make most sense. */
const steps: Readonly<Record<Name, Step>> = {
  test_event: { needs: 'manager', isDone: ({ incident }) => incident !== null },
  contact: { needs: 'responder', isDone: ({ channels }) => channels > 1 },
  tool: { needs: 'manager', isDone: ({ hasTool }) => hasTool },
  colleague: { needs: 'admin', isDone: ({ hasColleague }) => hasColleague },
  schedule: { needs: 'manager', isDone: ({ hasSchedule }) => hasSchedule },
};

export const setupShape = objectOf(
  {
    steps: Type.Array(
      objectOf({
        name: choice(names, {
          doc: 'test_event: a first incident was opened; contact: the signed-in person has verified contacts on two channels; tool: an event came that was not sent from Pager; colleague: two people are active; schedule: there is an on-call schedule.',
        }),
        done: flag({ doc: 'Whether it is done.' }),
        needs: choice(roles, { doc: 'The role that doing it needs.' }),
      }),
      { description: 'What is worth doing first, in this order; the contact for people only.' },
    ),
    integration: optional(
      objectOf(
        {
          id: id('The integration.'),
          slug: word('The type of the integration.'),
          name: word('The name of the integration.'),
        },
        'The first active integration, to which a test event can go; absent when there is none.',
      ),
    ),
    incident: orNull(Type.Integer(), 'The number of the first incident; null while there is none.'),
  },
  'How far the installation is set up, as far as the caller sees it.',
);

export async function setupOf(sql: Queries, caller: Caller) {
  const userId = caller.kind === 'key' ? null : caller.id;
  const facts = await readSetup(sql, scopeOf(caller), userId);
  const { integration, incident } = facts;
  const shown = names.filter((name) => name !== 'contact' || userId !== null);
  return {
    steps: shown.map((name) => {
      const { needs, isDone } = steps[name];
      return { name, done: isDone(facts), needs };
    }),
    ...(integration && { integration }),
    incident,
  };
}
