// The conditions under which a rule matches, or a playbook runs by itself.
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
import { priorities, severities } from './priorities.ts';

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

const comparator = () =>
  choice(comparators, {
    doc: 'How the texts are compared. Comparisons ignore case, except for matches and doesNotMatch, which use regular expressions in RE2 syntax.',
  });
const searchText = () =>
  text({
    doc: 'The text to compare with: a part, a prefix, a suffix, the whole text, or a regular expression such as ^disk.*full$, depending on the comparator.',
    max: 10_000,
  });
const count = (what: string, max: number) =>
  wholeNumber({ doc: `The minimum number of ${what} for the condition to match.`, min: 1, max });
const minutes = () =>
  wholeNumber({
    doc: 'The period before now in minutes. 43200 minutes are 30 days.',
    min: 1,
    max: 43_200,
  });
const timezone = () =>
  zone('The IANA time zone for the condition, such as Europe/Berlin or Etc/UTC.');
export const priority = (doc = 'The priority of the incident. p1 is the most urgent.') =>
  choice(priorities, { doc });
export const severity = (doc = 'The severity of the incident. sev1 is the worst.') =>
  choice(severities, { doc });

const condition = variant(
  'type',
  {
    allIncidents: { doc: 'Matches every incident.', fields: {} },
    incidentMessage: {
      doc: 'Compares the title of the incident.',
      fields: { comparator: comparator(), text: searchText() },
    },
    incidentDetails: {
      doc: 'Compares one value in the details of the incident.',
      fields: {
        key: text({
          doc: 'The path of the value in the details, separated by dots, such as labels.host.',
          min: 1,
        }),
        comparator: comparator(),
        text: searchText(),
      },
    },
    incidentRepeated: {
      doc: 'Matches if the same alert has opened incidents before.',
      fields: { count: count('earlier incidents of the same alert', 1_000_000) },
    },
    incidentRepeatedWithin: {
      doc: 'Matches if the same alert has opened incidents recently.',
      fields: {
        count: count('earlier incidents of the same alert in that time', 1_000),
        minutes: minutes(),
      },
    },
    incidentSuppressed: {
      doc: 'Matches if alerts have been counted on the open incident.',
      fields: { count: count('suppressed alerts', 1_000_000) },
    },
    incidentSuppressedWithin: {
      doc: 'Matches if alerts have been counted on the open incident recently.',
      fields: { count: count('suppressed alerts in that time', 1_000), minutes: minutes() },
    },
    incidentPriority: {
      doc: 'Compares the priority of the incident.',
      fields: {
        comparator: comparator(),
        priority: priority('The priority to compare with. p1 is the most urgent.'),
      },
    },
    incidentSeverity: {
      doc: 'Compares the severity of the incident.',
      fields: {
        comparator: comparator(),
        severity: severity('The severity to compare with. sev1 is the worst.'),
      },
    },
    incidentTiming: {
      doc: 'Matches at certain times of day.',
      fields: {
        start: localTime('The start of the time of day (inclusive), HH:MM, such as 09:00.'),
        end: localTime(
          'The end of the time of day (exclusive), HH:MM, such as 17:00. If it is before start, the period crosses midnight.',
        ),
        timezone: timezone(),
      },
    },
    incidentDays: {
      doc: 'Matches on certain days of the week.',
      fields: {
        days: listOf(weekday('A day of the week.'), {
          doc: 'The days of the week on which the condition matches.',
          max: 7,
        }),
        timezone: timezone(),
      },
    },
  },
  'One condition on the incident or on the time at which it arrives.',
);

export const conditionGroups = (doc: string) =>
  listOf(
    objectOf(
      {
        conditions: listOf(condition, {
          doc: 'The conditions of the group. All of them must match.',
          max: 100,
        }),
      },
      'A group of conditions. It matches if all of them match.',
    ),
    { doc, max: 100 },
  );

export type Condition = Static<typeof condition>;
export type ConditionGroups = Static<ReturnType<typeof conditionGroups>>;
