// What must hold of an incident for a rule to match, or for a playbook to run by itself.
import type { Static } from 'typebox';
import {
  choice,
  listOf,
  localTime,
  objectOf,
  text,
  variant,
  weekday,
  wholeNumber,
  zone,
} from './declaration/field.ts';

export const priorities = ['p1', 'p2', 'p3', 'p4', 'p5'] as const;
export const severities = ['sev1', 'sev2', 'sev3'] as const;
const comparators = [
  'contains',
  'doesNotContain',
  'equals',
  'doesNotEqual',
  'startsWith',
  'endsWith',
  'matches',
  'doesNotMatch',
] as const;

export type Comparator = (typeof comparators)[number];

const comparator = () => choice(comparators, { doc: 'Case is ignored, except by matches.' });
const sought = () => text({ doc: 'What is looked for.', max: 10_000 });
const count = (max: number) => wholeNumber({ doc: 'At least this many.', min: 1, max });
const minutes = () => wholeNumber({ doc: 'Within this long.', min: 1, max: 43_200 });
export const priority = () => choice(priorities, { doc: 'p1 is the most urgent.' });
export const severity = () => choice(severities, { doc: 'sev1 is the worst.' });

const condition = variant(
  'type',
  {
    allIncidents: {},
    incidentMessage: { comparator: comparator(), text: sought() },
    incidentDetails: {
      key: text({ doc: 'Dotted path into the details.', min: 1 }),
      comparator: comparator(),
      text: sought(),
    },
    incidentRepeated: { count: count(1_000_000) },
    incidentRepeatedWithin: { count: count(1_000), minutes: minutes() },
    incidentSuppressed: { count: count(1_000_000) },
    incidentSuppressedWithin: { count: count(1_000), minutes: minutes() },
    incidentPriority: { comparator: comparator(), priority: priority() },
    incidentSeverity: { comparator: comparator(), severity: severity() },
    incidentTiming: {
      start: localTime('Included.'),
      end: localTime('Excluded; before start: the window crosses midnight.'),
      timezone: zone('The wall clock the window is judged on.'),
    },
    incidentDays: {
      days: listOf(weekday('A day.'), { doc: 'On these days.', max: 7 }),
      timezone: zone('The wall clock the day is judged on.'),
    },
  },
  'What must hold.',
);

export const conditionGroups = () =>
  listOf(objectOf({ conditions: listOf(condition, { doc: 'All must hold.', max: 100 }) }), {
    doc: 'Any group is enough.',
    max: 100,
  });

export type Condition = Static<typeof condition>;
export type ConditionGroups = Static<ReturnType<typeof conditionGroups>>;
