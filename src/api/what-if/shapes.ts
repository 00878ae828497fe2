// What simulations answer.
import Type from 'typebox';
import { choice, id, objectOf } from '../../resources/declaration/field.ts';
import { judgedRule } from '../rules/shapes.ts';

const text = (description: string) => Type.String({ description });
const time = (description: string) => Type.String({ format: 'date-time', description });
const seconds = Type.Integer({ description: 'Since the story began.' });
const textOrNull = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description });

const alert = objectOf({
  action: text('trigger, acknowledge or resolve.'),
  dedup_key: text('Tells alerts apart.'),
  title: text('Before any rule changes it.'),
  outcome: text('opened, suppressed, resolved, acknowledged, ignored or dropped.'),
  reason: textOrNull('Why, if it opened nothing.'),
  incident_id: textOrNull('Where it went.'),
  rules: Type.Array(
    objectOf({
      ...judgedRule,
      id: text('Of a rule that has none: its place in what is proposed.'),
      name: text('Its name.'),
      applied: Type.Boolean({ description: 'Whether it did something to this alert.' }),
    }),
    { description: 'Of the team, in the order in which they run; if not all, those that matched.' },
  ),
});

const incident = objectOf({
  id: text('Within this story, unless it has a number.'),
  number: Type.Union([Type.Integer(), Type.Null()], { description: 'Of one that was there.' }),
  title: text('Once rules had changed it.'),
  status: text('triggered, acknowledged or resolved.'),
  priority: textOrNull('From p1 to p5.'),
  severity: textOrNull('From sev1 to sev3.'),
  team_id: id('Whose it is.'),
  service_id: id('What it is about.'),
  integration_id: id('Whose settings it has.'),
  escalation_policy: objectOf({ id: text('The policy.'), name: text('Its name.') }),
});

const line = objectOf({
  at: time('When.'),
  after_seconds: seconds,
  incident_id: text('Whose timeline it is on.'),
  type: text('What happened, as a word.'),
  says: text('What happened, as a sentence.'),
});

const notice = objectOf({
  at: time('When.'),
  after_seconds: seconds,
  incident_id: text('What it tells of.'),
  kind: text('page, nobody_paged, all_clear, assigned, responder_added, storm or webhook.'),
  step: Type.Union([Type.Integer(), Type.Null()], { description: 'Of the policy, from 1.' }),
  channel: text('How.'),
  person: Type.Optional(text('Who, by which schedule.')),
  chat: Type.Optional(text('Which chat.')),
  webhook: Type.Optional(text('Which webhook.')),
  user_id: textOrNull('Of a person.'),
  reached: Type.Boolean({ description: 'Whether it goes out.' }),
  reason: textOrNull('Why it does not.'),
});

export const storyShape = objectOf({
  at: time('When it begins.'),
  alerts: Type.Array(alert, { description: 'One event may hold several.' }),
  incidents: Type.Array(incident, { description: 'As they are right after the event.' }),
  lines: Type.Array(line, { description: 'All that happens, in order.' }),
  notices: Type.Array(notice, { description: 'Whoever is told, or cannot be, in order.' }),
  warnings: Type.Array(Type.String(), { description: 'What is left out of the answer.' }),
  ended: objectOf({
    type: choice(['nothing', 'acknowledged', 'resolved', 'exhausted', 'days', 'lines'], {
      doc: 'Why the story ends; days and lines: it would go on.',
    }),
    at: time('When.'),
    after_seconds: seconds,
    says: text('The same as a sentence.'),
  }),
});
