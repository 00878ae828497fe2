// What a mapping is made of: forms in the notation of src/alerts/reading/notation.ts, in which each
// field is written in one way only.
import * as Type from 'typebox';
import { eventsLimits } from '../limits/events.ts';
import { instant } from './declaration/answer.ts';
import { choice, id, mapOf, objectOf, optional, text, wholeNumber } from './declaration/field.ts';
import { type Problem, settingsResource } from './declaration/resource.ts';

const mappingText = (doc: string) => text({ doc, min: 1, max: eventsLimits.mappingText });
const list = (doc: string, of = mappingText('A path, or text with paths in braces.')) =>
  Type.Array(of, { description: doc, minItems: 1, maxItems: eventsLimits.mappingAlternatives });
const words = (meaning: string) =>
  optional(
    mappingText(`The words, separated by spaces, or the RE2 /expression/ that mean ${meaning}.`),
  );

const outcomes = ['trigger', 'acknowledge', 'resolve', 'nothing'] as const;
const severities = ['sev1', 'sev2', 'sev3'] as const;
const priorities = ['p1', 'p2', 'p3', 'p4', 'p5'] as const;

const at = list('The paths of the word. The first one that exists is used.');

const stateRule = objectOf({
  at,
  trigger: words('that a problem began or continues'),
  acknowledge: words('that someone is working on it'),
  resolve: words('that it ended'),
  nothing: words('nothing'),
  else: optional(choice(outcomes, { doc: 'The meaning of all other words.' })),
});

const gradeRule = <Grade extends string>(grades: readonly [Grade, ...Grade[]], what: string) =>
  objectOf(
    {
      at,
      ...Object.fromEntries(grades.map((grade) => [grade, words(`${what} ${grade}`)])),
      else: optional(choice(grades, { doc: `The ${what} for all other words.` })),
    },
    `The path of the ${what}, and the meaning of the tool's words. Pager knows common words.`,
  );

const form = objectOf({
  when: optional(list('The conditions for this form: path, !path, path=word, path~expression.')),
  each: optional(mappingText('The path of a list in which each element is a separate alert.')),
  title: optional(list('The paths of the title. The first one that exists is used.')),
  name: optional(list('The subject of the problem, for a title "name: message".')),
  message: optional(list('The message, for a title "name: message".')),
  key: optional(
    Type.Array(list('Paths that together form the key.'), {
      description: 'The value that all messages of one problem share, as alternatives.',
      minItems: 1,
      maxItems: eventsLimits.mappingAlternatives,
    }),
  ),
  state: optional(
    Type.Array(stateRule, {
      description: 'Rules, in order, for whether the problem began, ended, or neither.',
      minItems: 1,
      maxItems: eventsLimits.mappingAlternatives,
    }),
  ),
  severity: optional(gradeRule(severities, 'severity')),
  priority: optional(gradeRule(priorities, 'priority')),
  links: optional(
    mapOf(list('The paths of the address.'), {
      doc: 'Links, by name.',
      max: eventsLimits.mappingAlternatives,
    }),
  ),
  until: optional(list('The path of the time at which the incident resolves automatically.')),
  omit: optional(list('The paths of secrets, which are left out of the details.')),
});

const formsDoc = `The forms that read bodies, at most ${eventsLimits.mappingForms}. The first matching form reads a body.`;
const forms = Type.Array(form, { description: formsDoc, maxItems: eventsLimits.mappingForms });

export const mappingInput = objectOf({ forms });

const integrationId = id('The integration that uses the mapping.', {
  to: 'integration',
  within: 'organization',
});
const revision = wholeNumber({
  doc: 'The number of mappings that the integration has had.',
  min: 0,
  max: 2 ** 31 - 1,
  countsWrites: true,
});

export const mappingOutput = objectOf({
  integration_id: integrationId,
  revision,
  forms,
  archived_at: optional(instant('When the integration was archived. Absent while it is active.')),
});

/** What each of its fields may have, all together would be too much. */
export function sizeProblems(forms: unknown): readonly Problem[] {
  const { length } = JSON.stringify(forms ?? []);
  if (length <= eventsLimits.mappingLength) return [];
  const message = `must have at most ${eventsLimits.mappingLength} characters as JSON (it has ${length})`;
  return [{ path: 'forms', message }];
}

/** A mapping as a resource of Terraform; the API has it below its integration. */
export const integrationMapping = settingsResource({
  noun: 'integration',
  name: 'integration_mapping',
  table: 'integration_mappings',
  route: 'integrations',
  detailRoute: '/mapping',
  owner: 'integration_id',
  noneAt: 'forms',
  doc: 'How Pager reads the bodies sent to one integration, instead of using its type.',
  fields: {
    integration_id: integrationId,
    forms: Type.Array(form, { ...forms, minItems: 1 }),
  },
  computed: { revision },
  check: ({ forms }) => sizeProblems(forms),
});
