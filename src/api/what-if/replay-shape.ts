// The answer of POST /alert-rules/replay.
import Type, { type TObject } from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import { count, instant, orNull, word } from '../../resources/declaration/answer.ts';
import { id, objectOf } from '../../resources/declaration/field.ts';

const wordOrNull = (description: string) => orNull(Type.String(), description);

const incidentOutcome = objectOf({
  title: word('The title of the incident at the end of the replay.'),
  status: word('The status in which it opens: triggered, acknowledged or resolved.'),
  priority: wordOrNull('The priority at the end, from p1 to p5. Null if there is none.'),
  severity: wordOrNull('The severity at the end, from sev1 to sev3. Null if there is none.'),
  team_id: id('The team that owns the incident at the end.'),
  integration_id: id('The integration whose settings apply to the incident at the end.'),
  escalation_policy: orNull(
    objectOf({
      id: word('The id of the escalation policy.'),
      name: word('The name of the escalation policy.'),
    }),
    'The escalation policy at the end. Null if the incident moved to a team that is not yours.',
  ),
});

const page = objectOf({
  at: instant('When the page is sent.'),
  channel: word('The channel that carries the page, such as email or slack.'),
  to: word('The person who is paged, with the schedule that names them, or the chat.'),
  user_id: wordOrNull('The user who is paged. Null for a chat.'),
});

const example = {
  event_id: word('The event that opens the incident.'),
  at: instant('When that event arrived.'),
  title: word('The title of its alert, before any rule changes it.'),
  rules: Type.Array(Type.String(), {
    description: 'The names of the rules that changed something on one side only.',
  }),
};

function compared(of: TObject, description: string) {
  const one = objectOf({
    ...example,
    saved: orNull(of, 'The result of the saved rules. Null if there is none.'),
    proposed: orNull(of, 'The result of the proposed rules. Null if there is none.'),
  });
  const some = (description: string) =>
    objectOf(
      {
        count: count('The total number.'),
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
      added: some('What happens only with the proposed rules.'),
      removed: some('What happens only with the saved rules.'),
      changed: some('What happens with both, but differently.'),
    },
    description,
  );
}

export const replayShape = objectOf({
  from: instant('When the replay starts, with no open incidents.'),
  to: instant('When the replay ends.'),
  events: objectOf(
    {
      read: count('The number of events that were replayed on both sides.'),
      unreadable: count('The number of events that could not be read as alerts.'),
    },
    'The events that were replayed.',
  ),
  incidents: compared(
    incidentOutcome,
    'The incidents that are opened. Changed incidents differ in title, status, labels, team or policy.',
  ),
  pages: compared(
    page,
    'The first page to each recipient about each incident. Changed pages are sent at another time.',
  ),
  alerts_joined: objectOf(
    {
      saved: count('The number with the saved rules and grouping.'),
      proposed: count('The number with the proposed rules or grouping.'),
    },
    'The alerts that joined an open incident instead of opening their own.',
  ),
  quiet_though_worse: count(
    'The joined alerts on the proposed side that were worse than what the pages before had shown, and that no page followed. Counted from the pages; expected to be 0.',
  ),
  warnings: Type.Array(Type.String(), {
    description: 'What the replay leaves out on both sides, as sentences.',
  }),
});
