// The answer of POST /simulate.
import Type from 'typebox';
import { instant, orNull, word } from '../../resources/declaration/answer.ts';
import { choice, id, objectOf } from '../../resources/declaration/field.ts';
import { evaluatedRule } from './rule-test-shape.ts';

const seconds = Type.Integer({ description: 'Seconds from the start of the simulation.' });
const wordOrNull = (description: string) => orNull(Type.String(), description);

const alert = objectOf({
  action: word('What the alert does: trigger, acknowledge or resolve.'),
  dedup_key: word('The key that groups the alerts of one problem.'),
  title: word('The title of the alert, before any rule changes it.'),
  outcome: word(
    'The outcome of the alert: opened, grouped, suppressed, resolved, acknowledged, ignored or dropped.',
  ),
  reason: wordOrNull('Why the alert opened no incident. Null if it opened one.'),
  incident_id: wordOrNull('The incident that the alert belongs to. Null if there is none.'),
  rules: Type.Array(
    objectOf({
      ...evaluatedRule,
      id: word('The id of the rule. A proposed rule without an id is named after its position.'),
      name: word('The name of the rule.'),
      applied: Type.Boolean({
        description: 'Whether the rule changed what happens to this alert.',
      }),
    }),
    {
      description:
        'The rules of the team in the order in which they run. If there are too many, those that matched come first.',
    },
  ),
});

const incident = objectOf({
  id: word(
    'The id of the incident. An incident with a number exists. Any other exists only in this simulation.',
  ),
  number: orNull(
    Type.Integer(),
    'The number of an existing incident. Null for an incident that only the simulation opens.',
  ),
  title: word('The title of the incident, after the rules changed it.'),
  status: word('The status at the start: triggered, acknowledged or resolved.'),
  priority: wordOrNull('The priority, from p1 to p5. Null if there is none.'),
  severity: wordOrNull('The severity, from sev1 to sev3. Null if there is none.'),
  team_id: id('The team that owns the incident.'),
  service_id: orNull(
    id('The service.'),
    'The service that the incident is about. Null if a policy is simulated alone.',
  ),
  integration_id: orNull(
    id('The integration.'),
    'The integration whose settings apply to the incident. Null if a person opened it.',
  ),
  escalation_policy: objectOf(
    {
      id: word('The id of the escalation policy.'),
      name: word('The name of the escalation policy.'),
    },
    'The escalation policy that pages for the incident.',
  ),
});

const entry = objectOf({
  at: instant('When the entry is written.'),
  after_seconds: seconds,
  incident_id: word('The incident whose timeline has the entry.'),
  type: word('The type of the timeline entry, such as escalated.'),
  text: word('What happens, as a sentence.'),
});

/** Whom a notice would go to. */
export const plannedNotice = {
  kind: word(
    'The kind of notice: page, nobody_paged, not_all_paged, all_clear, assigned, responder_added, storm or webhook.',
  ),
  step: orNull(Type.Integer(), 'The step of the escalation policy, from 1. Null outside of steps.'),
  channel: word('The channel that carries the notice, such as email or slack.'),
  person: Type.Optional(word('The person who is notified.')),
  route: Type.Optional(
    word('The schedule that put the person on call. Absent if the step names the person.'),
  ),
  chat: Type.Optional(word('The chat that is notified.')),
  webhook: Type.Optional(word('The outbound webhook that the notice calls.')),
  user_id: wordOrNull('The user who is notified. Null for a chat or a webhook.'),
  deliverable: Type.Boolean({ description: 'Whether the notice is sent.' }),
  reason: wordOrNull('Why the notice is not sent. Null if it is sent.'),
};

const notice = objectOf({
  at: instant('When the notice is due.'),
  after_seconds: seconds,
  incident_id: word('The incident that the notice is about.'),
  ...plannedNotice,
  contacts: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'The person’s contacts that the page tries one after another until one confirms, such as …5678. Absent if there is only one.',
    }),
  ),
});

export const simulationShape = objectOf({
  at: instant('When the simulation starts.'),
  alerts: Type.Array(alert, {
    description: 'The alerts in the event. One event can contain several.',
  }),
  incidents: Type.Array(incident, {
    description: 'The incidents right after the event.',
  }),
  entries: Type.Array(entry, {
    description: 'The timeline entries of all incidents, oldest first.',
  }),
  notices: Type.Array(notice, {
    description: 'The notices and the recipients that cannot be reached, oldest first.',
  }),
  warnings: Type.Array(Type.String(), {
    description: 'What this response leaves out, as sentences.',
  }),
  ended: objectOf(
    {
      type: choice(['nothing', 'acknowledged', 'resolved', 'exhausted', 'days', 'entries'], {
        doc: 'Why the simulation ends. days and entries mean that it reached a limit and would continue.',
      }),
      at: instant('When the simulation ends.'),
      after_seconds: seconds,
      text: word('Why the simulation ends, as a sentence.'),
    },
    'How and when the simulation ends.',
  ),
});
