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
    doc: 'How the texts are compared. Upper and lower case are the same, except for matches and doesNotMatch, which take a regular expression in the syntax of RE2.',
  });
const searchText = () =>
  text({
    doc: 'The text to compare with: a part, a beginning, an end, the whole, or a regular expression such as ^disk.*full$, as the comparator has it.',
    max: 10_000,
  });
const count = (what: string, max: number) =>
  wholeNumber({ doc: `The least number of ${what} for the condition to hold.`, min: 1, max });
const minutes = () =>
  wholeNumber({
    doc: 'The period before now, in minutes: 43200 are 30 days.',
    min: 1,
    max: 43_200,
  });
const timezone = () =>
  zone('The IANA time zone whose clock decides, such as Europe/Berlin or Etc/UTC.');
export const priority = (doc = 'The priority of the incident; p1 is the most urgent.') =>
  choice(priorities, { doc });
export const severity = (doc = 'The severity of the incident; sev1 is the worst.') =>
  choice(severities, { doc });

const condition = variant(
  'type',
  {
    allIncidents: { doc: 'Holds for every incident.', fields: {} },
    incidentMessage: {
      doc: 'Compares the title of the incident.',
      fields: { comparator: comparator(), text: searchText() },
    },
    incidentDetails: {
      doc: 'Compares one value in the details of the incident.',
      fields: {
        key: text({
          doc: 'The path of the value in the details, its parts divided by dots, such as labels.host.',
          min: 1,
        }),
        comparator: comparator(),
        text: searchText(),
      },
    },
    incidentRepeated: {
      doc: 'Holds when incidents of the same alert were opened before.',
      fields: { count: count('earlier incidents of the same alert', 1_000_000) },
    },
    incidentRepeatedWithin: {
      doc: 'Holds when incidents of the same alert were opened a short time ago.',
      fields: {
        count: count('earlier incidents of the same alert in that time', 1_000),
        minutes: minutes(),
      },
    },
    incidentSuppressed: {
      doc: 'Holds when alerts were counted onto the open incident.',
      fields: { count: count('suppressed alerts', 1_000_000) },
    },
    incidentSuppressedWithin: {
      doc: 'Holds when alerts were counted onto the open incident a short time ago.',
      fields: { count: count('suppressed alerts in that time', 1_000), minutes: minutes() },
    },
    incidentPriority: {
      doc: 'Compares the priority of the incident.',
      fields: {
        comparator: comparator(),
        priority: priority('The priority to compare with; p1 is the most urgent.'),
      },
    },
    incidentSeverity: {
      doc: 'Compares the severity of the incident.',
      fields: {
        comparator: comparator(),
        severity: severity('The severity to compare with; sev1 is the worst.'),
      },
    },
    incidentTiming: {
      doc: 'Holds at certain times of the day.',
      fields: {
        start: localTime('When the time of day begins, HH:MM, included, such as 09:00.'),
        end: localTime(
          'When the time of day ends, HH:MM, excluded, such as 17:00; if it is before start, the time crosses midnight.',
        ),
        timezone: timezone(),
      },
    },
    incidentDays: {
      doc: 'Holds on certain days of the week.',
      fields: {
        days: listOf(weekday('A day of the week.'), {
          doc: 'The days of the week on which the condition holds.',
          max: 7,
        }),
        timezone: timezone(),
      },
    },
  },
  'One condition on the incident, or on the time at which it arrives.',
);

export const conditionGroups = (doc: string) =>
  listOf(
    objectOf(
      {
        conditions: listOf(condition, {
          doc: 'The conditions of the group; all of them must hold.',
          max: 100,
        }),
      },
      'A group of conditions, which holds if all of them do.',
    ),
    { doc, max: 100 },
  );

export type Condition = Static<typeof condition>;
export type ConditionGroups = Static<ReturnType<typeof conditionGroups>>;
