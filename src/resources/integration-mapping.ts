// What a mapping is made of: forms in the notation of src/alerts/reading/notation.ts, in which each
// field is written in one way only.
import * as Type from 'typebox';
import { eventsLimits } from '../limits/events.ts';
import { choice, objectOf, optional, text } from './declaration/field.ts';

const place = (doc: string) => text({ doc, min: 1, max: eventsLimits.mappingText });
const list = (doc: string, of = place('A place, or words with places in braces.')) =>
  Type.Array(of, { description: doc, minItems: 1, maxItems: eventsLimits.mappingAlternatives });
const words = (meaning: string) =>
  optional(
    place(`The words, with blanks between them, or the /expression/ of RE2, that mean ${meaning}.`),
  );

const outcomes = ['trigger', 'acknowledge', 'resolve', 'nothing'] as const;
const severities = ['sev1', 'sev2', 'sev3'] as const;
const priorities = ['p1', 'p2', 'p3', 'p4', 'p5'] as const;

const at = list('The places of the word; the first that is there counts.');

const stateRule = objectOf({
  at,
  trigger: words('that a problem began or goes on'),
  acknowledge: words('that somebody has it'),
  resolve: words('that it ended'),
  nothing: words('nothing'),
  else: optional(choice(outcomes, { doc: 'What every other word means.' })),
});

const gradeRule = <Grade extends string>(grades: readonly [Grade, ...Grade[]], what: string) =>
  objectOf(
    {
      at,
      ...Object.fromEntries(grades.map((grade) => [grade, words(`${what} ${grade}`)])),
      else: optional(choice(grades, { doc: `The ${what} of every other word.` })),
    },
    `Where the ${what} stands, and which words mean which.`,
  );

const form = objectOf({
  when: optional(
    list('What must hold for this form to be used: place, !place, place=word, place~expression.'),
  ),
  each: optional(place('The place of a list whose elements are alerts of their own.')),
  title: optional(list('Where the title stands; the first that is there counts.')),
  name: optional(list('What the problem is about, for a title "name: message".')),
  message: optional(list('What is said of it, for a title "name: message".')),
  key: optional(
    Type.Array(list('Places that are the key together.'), {
      description: 'What the messages of one problem share; alternatives.',
      minItems: 1,
      maxItems: eventsLimits.mappingAlternatives,
    }),
  ),
  state: optional(
    Type.Array(stateRule, {
      description: 'Whether the problem began, ended, or neither; rules in their order.',
      minItems: 1,
      maxItems: eventsLimits.mappingAlternatives,
    }),
  ),
  severity: optional(gradeRule(severities, 'severity')),
  priority: optional(gradeRule(priorities, 'priority')),
  links: optional(
    Type.Record(Type.String({ minLength: 1, maxLength: 100 }), list('Places of the address.'), {
      description: 'Addresses, by what they lead to.',
    }),
  ),
  until: optional(list('Where the time stands at which it resolves by itself.')),
  omit: optional(list('Places of secrets, which are not kept in the details.')),
});

export const mappingInput = objectOf({
  forms: Type.Array(form, {
    description: `How bodies are read, at most ${eventsLimits.mappingForms} forms; the first that fits reads one.`,
    maxItems: eventsLimits.mappingForms,
  }),
});

export const mappingOutput = objectOf({
  revision: Type.Integer({ description: 'Counts the mappings that the integration has had.' }),
  forms: mappingInput.properties.forms,
});
