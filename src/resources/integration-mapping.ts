// What a mapping is made of: forms in the notation of src/alerts/reading/notation.ts, in which each
// field is written in one way only.
import * as Type from 'typebox';
import { eventsLimits } from '../limits/events.ts';
import { instant } from './declaration/answer.ts';
import { choice, id, mapOf, objectOf, optional, text, wholeNumber } from './declaration/field.ts';
import type { Problem, Resource } from './declaration/resource.ts';

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
    `Where the ${what} stands, and which of the tool's words mean which; common words are known.`,
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
    mapOf(list('Places of the address.'), {
      doc: 'Addresses, by what they lead to.',
      max: eventsLimits.mappingAlternatives,
    }),
  ),
  until: optional(list('Where the time stands at which it resolves by itself.')),
  omit: optional(list('Places of secrets, which are not kept in the details.')),
});

const formsDoc = `How bodies are read, at most ${eventsLimits.mappingForms} forms; the first that fits reads one.`;
const forms = Type.Array(form, { description: formsDoc, maxItems: eventsLimits.mappingForms });

export const mappingInput = objectOf({ forms });

const integrationId = id('The integration whose bodies are read so.', {
  to: 'integration',
  within: 'organization',
});
const revision = wholeNumber({
  doc: 'Counts the mappings that the integration has had.',
  min: 0,
  max: 2 ** 31 - 1,
  countsWrites: true,
});

export const mappingOutput = objectOf({
  integration_id: integrationId,
  revision,
  forms,
  archived_at: optional(instant('When the integration was archived; absent while it is active.')),
});

/** What each of its fields may have, all together would be too much. */
export function sizeProblems(forms: unknown): readonly Problem[] {
  const { length } = JSON.stringify(forms ?? []);
  if (length <= eventsLimits.mappingLength) return [];
  const message = `must have at most ${eventsLimits.mappingLength} characters as JSON, has ${length}`;
  return [{ path: 'forms', message }];
}

const fields = {
  integration_id: integrationId,
  forms: Type.Array(form, { ...forms, minItems: 1 }),
};
const doc = 'How the bodies at one integration are read, in place of what its type says.';

/** A mapping as a resource of Terraform; the API has it below its integration. */
export const integrationMapping: Resource = {
  name: 'integration_mapping',
  table: 'integration_mappings',
  route: 'integrations',
  detailRoute: '/mapping',
  owner: 'integration_id',
  noneAt: 'forms',
  doc,
  fields,
  readOnlyMembers: {},
  lostByReplacement: '',
  rotates: '',
  endsAt: '',
  ending: null,
  knownBy: '',
  effectsAt: '',
  neverChanges: false,
  sessionOnly: () => [],
  input: objectOf(fields, doc),
  output: objectOf({ id: id('The id of the integration.'), revision, ...fields }, doc),
  check: ({ forms }) => sizeProblems(forms),
};
