// The answer of POST /simulate.
import Type from 'typebox';
import { instant, orNull, word } from '../../resources/declaration/answer.ts';
import { choice, id, objectOf } from '../../resources/declaration/field.ts';
import { evaluatedRule } from '../rules/shapes.ts';

const seconds = Type.Integer({ description: 'Seconds from the start of the simulation.' });
const wordOrNull = (description: string) => orNull(Type.String(), description);

const alert = objectOf({
  action: word('What the alert does: trigger, acknowledge or resolve.'),
  dedup_key: word('The key by which alerts of one problem belong together.'),
  title: word('The title of the alert, before any rule changes it.'),
  outcome: word(
    'What became of the alert: opened, suppressed, resolved, acknowledged, ignored or dropped.',
  ),
  reason: wordOrNull('Why the alert opened no incident; null if it opened one.'),
  incident_id: wordOrNull('The incident that the alert belongs to; null if it has none.'),
  rules: Type.Array(
    objectOf({
      ...evaluatedRule,
      id: word('The id of the rule; a proposed rule without one is named after its position.'),
      name: word('The name of the rule.'),
      applied: Type.Boolean({
        description: 'Whether the rule changed what happens to this alert.',
      }),
    }),
    {
      description:
        'The rules of the team in the order in which they run; where there are too many, those that matched come first.',
    },
  ),
});

const incident = objectOf({
  id: word('The id of the incident; one with a number exists, any other only in this simulation.'),
  number: orNull(
    Type.Integer(),
    'The number of an incident that exists; null for one that only the simulation opens.',
  ),
  title: word('The title of the incident, after the rules changed it.'),
  status: word('The status at the start: triggered, acknowledged or resolved.'),
  priority: wordOrNull('The priority, from p1 to p5; null if it has none.'),
  severity: wordOrNull('The severity, from sev1 to sev3; null if it has none.'),
  team_id: id('The team that owns the incident.'),
  service_id: id('The service that the incident is about.'),
  integration_id: orNull(
    id('The integration.'),
    'The integration whose settings the incident follows; null if a person opened it.',
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
  step: orNull(
    Type.Integer(),
    'The step of the escalation policy, counted from 1; null outside of steps.',
  ),
  channel: word('The channel that carries the notice, such as email or slack.'),
  person: Type.Optional(word('The person who is notified.')),
  route: Type.Optional(
    word(
      'The schedule that the person is on call of, such as on call of Payments; absent if the step names them.',
    ),
  ),
  chat: Type.Optional(word('The chat that is notified.')),
  webhook: Type.Optional(word('The outbound webhook that the notice calls.')),
  user_id: wordOrNull('The user who is notified; null for a chat or a webhook.'),
  deliverable: Type.Boolean({ description: 'Whether the notice is sent.' }),
  reason: wordOrNull('Why the notice is not sent; null if it is sent.'),
};

const notice = objectOf({
  at: instant('When the notice is due.'),
  after_seconds: seconds,
  incident_id: word('The incident that the notice is about.'),
  ...plannedNotice,
  contacts: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'The contacts of the person that a page tries one after the other until one confirms it, such as …5678; absent if there is only one.',
    }),
  ),
});

export const simulationShape = objectOf({
  at: instant('When the simulation starts.'),
  alerts: Type.Array(alert, {
    description: 'The alerts of the event; one event may hold several.',
  }),
  incidents: Type.Array(incident, {
    description: 'The incidents as they are right after the event.',
  }),
  entries: Type.Array(entry, {
    description: 'The timeline entries of all incidents, oldest first.',
  }),
  notices: Type.Array(notice, {
    description: 'The notices, and the recipients that cannot be reached, oldest first.',
  }),
  warnings: Type.Array(Type.String(), {
    description: 'What this answer leaves out, as sentences.',
  }),
  ended: objectOf(
    {
      type: choice(['nothing', 'acknowledged', 'resolved', 'exhausted', 'days', 'entries'], {
        doc: 'Why the simulation ends; days and entries are limits, beyond which it would continue.',
      }),
      at: instant('When the simulation ends.'),
      after_seconds: seconds,
      text: word('Why the simulation ends, as a sentence.'),
    },
    'How and when the simulation ends.',
  ),
});
