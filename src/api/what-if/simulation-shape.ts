// What simulations answer.
import Type from 'typebox';
import { instant, orNull, word } from '../../resources/declaration/answer.ts';
import { choice, id, objectOf } from '../../resources/declaration/field.ts';
import { evaluatedRule } from '../rules/shapes.ts';

const seconds = Type.Integer({ description: 'Since the story began.' });
const wordOrNull = (description: string) => orNull(Type.String(), description);

const alert = objectOf({
  action: word('trigger, acknowledge or resolve.'),
  dedup_key: word('Tells alerts apart.'),
  title: word('Before any rule changes it.'),
  outcome: word('opened, suppressed, resolved, acknowledged, ignored or dropped.'),
  reason: wordOrNull('Why, if it opened nothing.'),
  incident_id: wordOrNull('Where it went.'),
  rules: Type.Array(
    objectOf({
      ...evaluatedRule,
      id: word('Of a rule that has none: its place in what is proposed.'),
      name: word('Its name.'),
      applied: Type.Boolean({ description: 'Whether it did something to this alert.' }),
    }),
    { description: 'Of the team, in the order in which they run; if not all, those that matched.' },
  ),
});

const incident = objectOf({
  id: word('Within this story, unless it has a number.'),
  number: orNull(Type.Integer(), 'Of one that was there.'),
  title: word('Once rules had changed it.'),
  status: word('triggered, acknowledged or resolved.'),
  priority: wordOrNull('From p1 to p5.'),
  severity: wordOrNull('From sev1 to sev3.'),
  team_id: id('Whose it is.'),
  service_id: id('What it is about.'),
  integration_id: id('Whose settings it has.'),
  escalation_policy: objectOf({ id: word('The policy.'), name: word('Its name.') }),
});

const line = objectOf({
  at: instant('When.'),
  after_seconds: seconds,
  incident_id: word('Whose timeline it is on.'),
  type: word('What happened, as a word.'),
  says: word('What happened, as a sentence.'),
});

const notice = objectOf({
  at: instant('When.'),
  after_seconds: seconds,
  incident_id: word('What it tells of.'),
  kind: word('page, nobody_paged, all_clear, assigned, responder_added, storm or webhook.'),
  step: orNull(Type.Integer(), 'Of the policy, from 1.'),
  channel: word('How.'),
  person: Type.Optional(word('Who, by which schedule.')),
  chat: Type.Optional(word('Which chat.')),
  webhook: Type.Optional(word('Which webhook.')),
  user_id: wordOrNull('Of a person.'),
  reached: Type.Boolean({ description: 'Whether it goes out.' }),
  reason: wordOrNull('Why it does not.'),
});

export const simulationShape = objectOf({
  at: instant('When it begins.'),
  alerts: Type.Array(alert, { description: 'One event may hold several.' }),
  incidents: Type.Array(incident, { description: 'As they are right after the event.' }),
  lines: Type.Array(line, { description: 'All that happens, in order.' }),
  notices: Type.Array(notice, { description: 'Whoever is told, or cannot be, in order.' }),
  warnings: Type.Array(Type.String(), { description: 'What is left out of the answer.' }),
  ended: objectOf({
    type: choice(['nothing', 'acknowledged', 'resolved', 'exhausted', 'days', 'lines'], {
      doc: 'Why the story ends; days and lines: it would go on.',
    }),
    at: instant('When.'),
    after_seconds: seconds,
    says: word('The same as a sentence.'),
  }),
});
