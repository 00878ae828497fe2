// The answer of POST /alert-rules/replay.
import Type, { type TObject } from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import { count, instant, orNull, word } from '../../resources/declaration/answer.ts';
import { id, objectOf } from '../../resources/declaration/field.ts';

const wordOrNull = (description: string) => orNull(Type.String(), description);

const incidentOutcome = objectOf({
  title: word('The title of the incident at the end of the replay.'),
  status: word('The status in which it opens: triggered, acknowledged or resolved.'),
  priority: wordOrNull('The priority at the end, from p1 to p5; null if it has none.'),
  severity: wordOrNull('The severity at the end, from sev1 to sev3; null if it has none.'),
  team_id: id('The team that owns the incident at the end.'),
  integration_id: id('The integration whose settings the incident follows at the end.'),
  escalation_policy: orNull(
    objectOf({
      id: word('The id of the escalation policy.'),
      name: word('The name of the escalation policy.'),
    }),
    'The escalation policy at the end; null if the incident went to a team that is not yours.',
  ),
});

const page = objectOf({
  at: instant('When the page is sent.'),
  channel: word('The channel that carries the page, such as email or slack.'),
  to: word('The person who is paged, with the schedule that names them, or the chat.'),
  user_id: wordOrNull('The user who is paged; null for a chat.'),
});

const example = {
  event_id: word('The event that opens the incident.'),
  at: instant('When that event arrived.'),
  title: word('The title of its alert, before any rule changes it.'),
  rules: Type.Array(Type.String(), {
    description: 'The names of the rules that changed something here on one side only.',
  }),
};

function compared(of: TObject, description: string) {
  const one = objectOf({
    ...example,
    saved: orNull(of, 'The result of the saved rules; null if they have none.'),
    proposed: orNull(of, 'The result of the proposed rules; null if they have none.'),
  });
  const some = (description: string) =>
    objectOf(
      {
        count: count('How many of them there are.'),
        examples: Type.Array(one, {
          description: `The first ${queryLimits.replayExamples} of them, oldest first.`,
        }),
      },
      description,
    );
  return objectOf(
    {
      saved: count('The number with the saved rules.'),
      proposed: count('The number with the proposed rules.'),
      added: some('What only the proposed rules lead to.'),
      removed: some('What only the saved rules lead to.'),
      changed: some('What both lead to, but not alike.'),
    },
    description,
  );
}

export const replayShape = objectOf({
  from: instant('When the replay starts; no incident is open then.'),
  to: instant('When the replay ends.'),
  events: objectOf(
    {
      read: count('The number of events that were replayed on both sides.'),
      unreadable: count('The number of them whose content could not be read as alerts.'),
    },
    'The events that were replayed.',
  ),
  incidents: compared(
    incidentOutcome,
    'The incidents that are opened; changed ones differ in title, status, labels, team or policy.',
  ),
  pages: compared(
    page,
    'The first page to each recipient about each incident; changed ones come at another time.',
  ),
  warnings: Type.Array(Type.String(), { description: 'What both sides leave out, as sentences.' }),
});
