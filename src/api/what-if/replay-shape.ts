// What replays answer.
import Type, { type TObject } from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import { count, instant, orNull, word } from '../../resources/declaration/answer.ts';
import { id, objectOf } from '../../resources/declaration/field.ts';

const wordOrNull = (description: string) => orNull(Type.String(), description);

const incidentOutcome = objectOf({
  title: word('In the end, as all here but the status.'),
  status: word('As it was opened: triggered, acknowledged or resolved.'),
  priority: wordOrNull('From p1 to p5.'),
  severity: wordOrNull('From sev1 to sev3.'),
  team_id: id('Whose it is.'),
  integration_id: id('Whose settings it has.'),
  escalation_policy: orNull(
    objectOf({ id: word('The policy.'), name: word('Its name.') }),
    'Null: of a team that is not yours.',
  ),
});

const page = objectOf({
  at: instant('When.'),
  channel: word('How.'),
  to: word('Who, by which schedule; or which chat.'),
  user_id: wordOrNull('Of a person.'),
});

const example = {
  event_id: word('The event that opens it.'),
  at: instant('When that arrived.'),
  title: word('Of its alert, before any rule changes it.'),
  rules: Type.Array(Type.String(), {
    description: 'Rules that did something here on one side alone, by name.',
  }),
};

function compared(of: TObject, description: string) {
  const one = objectOf({
    ...example,
    saved: orNull(of, 'By the saved rules; null: none.'),
    proposed: orNull(of, 'By the proposed rules; null: none.'),
  });
  const some = (description: string) =>
    objectOf({
      count: count(description),
      examples: Type.Array(one, {
        description: `The first ${queryLimits.replayExamples}, by time.`,
      }),
    });
  return objectOf(
    {
      saved: count('How many, by the saved rules.'),
      proposed: count('How many, by the proposed rules.'),
      added: some('Only by the proposed rules.'),
      removed: some('Only by the saved rules.'),
      changed: some('By both, and not the same.'),
    },
    description,
  );
}

export const replayShape = objectOf({
  from: instant('When it begins, with no incident open.'),
  to: instant('When it ends.'),
  events: objectOf({
    read: count('Events that were judged on both sides.'),
    unreadable: count('Those of them that hold no alert that can be read.'),
  }),
  incidents: compared(incidentOutcome, 'What is opened; changed: another fate.'),
  pages: compared(page, 'The first page to each receiver about each incident; changed: its time.'),
  warnings: Type.Array(Type.String(), { description: 'What is left out on both sides.' }),
});
